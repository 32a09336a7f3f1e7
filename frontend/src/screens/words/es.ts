/** Spanish. */

import type {AsideWords} from './words.js'

export const es: AsideWords = {
  page: {
    compare: 'Comparar con la página',
    rows: 'Filas de esta página',
    hint: 'Arrastre una línea o muévala con las flechas. Supr quita una línea de columna.',
    add: 'Añadir una línea de columna',
    read: 'Leer de nuevo',
    line: 'Línea de columna {number}',
    top: 'Parte superior de la tabla',
    bottom: 'Parte inferior de la tabla',
  },
  receipt: {
    title: 'Recibo: {catalog}',
    came_in: 'Lo que llegó',
    file: 'Archivo',
    uploaded: 'Subido',
    in_file: 'Filas del archivo',
    imported: 'Filas importadas',
    applied: 'Importado',
    changes: 'Cambios a mano',
    answers: 'Preguntas respondidas',
    skipped: 'Lo que se omitió, y por qué',
    nothing_skipped: 'No se omitió nada.',
    with_errors: 'Filas con errores',
    removed: 'Filas que usted excluyó',
    refused: 'Filas rechazadas por un receptor',
    columns: 'Columnas no importadas',
    who_has: 'Qué sistema tiene las filas',
    the_page: 'La página desde la que importó',
    nowhere: 'Las filas solo están en el servicio de importación.',
    undo: 'Deshacer',
    until: 'Puede deshacer esta importación hasta el {date}.',
    undone: 'Esta importación se deshizo.',
    never: 'Ningún sistema deshace esta importación automáticamente.',
    by_hand: '{names}: solo a mano.',
    reference: 'Referencia para asistencia',
    save: 'Guardar como archivo',
  },
}
