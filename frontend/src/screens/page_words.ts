/** What is said next to a page of a file, in the languages of the widget; it comes with the script that shows the page. */

type Key = 'compare' | 'rows' | 'hint' | 'add' | 'read' | 'line' | 'top' | 'bottom'
export type PageWords = Record<Key, string>

const en: PageWords = {
  compare: 'Compare with the page',
  rows: 'Rows of this page',
  hint: 'Drag a line, or move it with the arrow keys. Delete removes a column line.',
  add: 'Add a column line',
  read: 'Read again',
  line: 'Column line {number}',
  top: 'Top of the table',
  bottom: 'Bottom of the table',
}

const LANGUAGES: Record<string, PageWords> = {
  en,
  de: {
    compare: 'Mit der Seite vergleichen',
    rows: 'Zeilen dieser Seite',
    hint: 'Ziehen Sie eine Linie, oder verschieben Sie sie mit den Pfeiltasten. Entf entfernt eine Spaltenlinie.',
    add: 'Spaltenlinie hinzufügen',
    read: 'Neu lesen',
    line: 'Spaltenlinie {number}',
    top: 'Oberer Rand der Tabelle',
    bottom: 'Unterer Rand der Tabelle',
  },
  fr: {
    compare: 'Comparer avec la page',
    rows: 'Lignes de cette page',
    hint: 'Faites glisser une ligne ou déplacez-la avec les flèches. Suppr enlève une ligne de colonne.',
    add: 'Ajouter une ligne de colonne',
    read: 'Relire',
    line: 'Ligne de colonne {number}',
    top: 'Haut du tableau',
    bottom: 'Bas du tableau',
  },
  es: {
    compare: 'Comparar con la página',
    rows: 'Filas de esta página',
    hint: 'Arrastre una línea o muévala con las flechas. Supr quita una línea de columna.',
    add: 'Añadir una línea de columna',
    read: 'Leer de nuevo',
    line: 'Línea de columna {number}',
    top: 'Parte superior de la tabla',
    bottom: 'Parte inferior de la tabla',
  },
}

export const wordsIn = (language: string): PageWords => LANGUAGES[language] ?? en
