/** French. */

import type {AsideWords} from './words.js'

export const fr: AsideWords = {
  page: {
    compare: 'Comparer avec la page',
    rows: 'Lignes de cette page',
    hint: 'Faites glisser une ligne ou déplacez-la avec les flèches. Suppr enlève une ligne de colonne.',
    add: 'Ajouter une ligne de colonne',
    read: 'Relire',
    line: 'Ligne de colonne {number}',
    top: 'Haut du tableau',
    bottom: 'Bas du tableau',
  },
  receipt: {
    title: 'Reçu : {catalog}',
    came_in: 'Ce qui est arrivé',
    file: 'Fichier',
    uploaded: 'Envoyé',
    in_file: 'Lignes du fichier',
    imported: 'Lignes importées',
    applied: 'Importé',
    changes: 'Modifications manuelles',
    answers: 'Questions répondues',
    skipped: 'Ce qui a été ignoré, et pourquoi',
    nothing_skipped: 'Rien n’a été ignoré.',
    with_errors: 'Lignes avec des erreurs',
    removed: 'Lignes que vous avez exclues',
    refused: 'Lignes refusées par un destinataire',
    columns: 'Colonnes non importées',
    who_has: 'Quel système a les lignes',
    the_page: 'La page depuis laquelle vous avez importé',
    nowhere: 'Les lignes sont conservées uniquement dans le service d’import.',
    undo: 'Annulation',
    until: 'Vous pouvez annuler cet import jusqu’au {date}.',
    undone: 'Cet import a été annulé.',
    never: 'Aucun système n’annule cet import automatiquement.',
    by_hand: '{names} : manuellement seulement.',
    reference: 'Référence pour l’assistance',
    save: 'Enregistrer dans un fichier',
  },
}
