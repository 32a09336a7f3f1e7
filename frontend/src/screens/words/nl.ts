/** Dutch. */

import type {AsideWords} from './words.js'

export const nl: AsideWords = {
  page: {
    compare: 'Vergelijken met de pagina',
    rows: 'Rijen van deze pagina',
    hint: 'Sleep een lijn of verplaats deze met de pijltoetsen. Delete verwijdert een kolomlijn.',
    add: 'Kolomlijn toevoegen',
    read: 'Opnieuw lezen',
    line: 'Kolomlijn {number}',
    top: 'Bovenkant van de tabel',
    bottom: 'Onderkant van de tabel',
  },
  receipt: {
    title: 'Ontvangstbewijs: {catalog}',
    came_in: 'Wat er binnenkwam',
    file: 'Bestand',
    uploaded: 'Geüpload',
    in_file: 'Rijen in het bestand',
    imported: 'Geïmporteerde rijen',
    applied: 'Geïmporteerd',
    changes: 'Handmatige wijzigingen',
    answers: 'Beantwoorde vragen',
    skipped: 'Wat is overgeslagen en waarom',
    nothing_skipped: 'Er is niets overgeslagen.',
    with_errors: 'Rijen met fouten',
    removed: 'Rijen die u hebt uitgesloten',
    refused: 'Rijen geweigerd door een ontvanger',
    columns: 'Niet-geïmporteerde kolommen',
    who_has: 'Welk systeem de rijen heeft',
    the_page: 'De pagina waarvan u hebt geïmporteerd',
    nowhere: 'De rijen staan alleen in de importservice.',
    undo: 'Ongedaan maken',
    until: 'U kunt deze import tot {date} ongedaan maken.',
    undone: 'Deze import is ongedaan gemaakt.',
    never: 'Geen enkel systeem maakt deze import automatisch ongedaan.',
    by_hand: '{names}: alleen handmatig.',
    reference: 'Referentie voor support',
    save: 'Opslaan als bestand',
  },
}
