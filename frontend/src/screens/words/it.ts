/** Italian. */

import type {AsideWords} from './words.js'

export const it: AsideWords = {
  page: {
    compare: 'Confronta con la pagina',
    rows: 'Righe di questa pagina',
    hint: 'Trascini una linea o la sposti con i tasti freccia. Canc elimina una linea di colonna.',
    add: 'Aggiungi una linea di colonna',
    read: 'Leggi di nuovo',
    line: 'Linea di colonna {number}',
    top: 'Bordo superiore della tabella',
    bottom: 'Bordo inferiore della tabella',
  },
  receipt: {
    title: 'Ricevuta: {catalog}',
    came_in: 'Che cosa è arrivato',
    file: 'File',
    uploaded: 'Caricato',
    in_file: 'Righe nel file',
    imported: 'Righe importate',
    applied: 'Importato',
    changes: 'Modifiche manuali',
    answers: 'Domande con risposta',
    skipped: 'Che cosa è stato ignorato e perché',
    nothing_skipped: 'Non è stato ignorato nulla.',
    with_errors: 'Righe con errori',
    removed: 'Righe escluse da lei',
    refused: 'Righe rifiutate da un destinatario',
    columns: 'Colonne non importate',
    who_has: 'Quale sistema ha le righe',
    the_page: 'La pagina da cui ha importato',
    nowhere: 'Le righe si trovano solo nel servizio di importazione.',
    undo: 'Annullamento',
    until: 'Può annullare questa importazione fino al {date}.',
    undone: 'Questa importazione è stata annullata.',
    never: 'Nessun sistema annulla automaticamente questa importazione.',
    by_hand: '{names}: solo a mano.',
    reference: 'Riferimento per l’assistenza',
    save: 'Salva come file',
  },
}
