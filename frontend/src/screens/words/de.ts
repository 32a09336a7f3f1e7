/** German. */

import type {AsideWords} from './words.js'

export const de: AsideWords = {
  page: {
    compare: 'Mit der Seite vergleichen',
    rows: 'Zeilen dieser Seite',
    hint: 'Ziehen Sie eine Linie, oder verschieben Sie sie mit den Pfeiltasten. Entf entfernt eine Spaltenlinie.',
    add: 'Spaltenlinie hinzufügen',
    read: 'Neu lesen',
    line: 'Spaltenlinie {number}',
    top: 'Oberer Rand der Tabelle',
    bottom: 'Unterer Rand der Tabelle',
  },
  receipt: {
    title: 'Beleg: {catalog}',
    came_in: 'Was ankam',
    file: 'Datei',
    uploaded: 'Hochgeladen',
    in_file: 'Zeilen in der Datei',
    imported: 'Importierte Zeilen',
    applied: 'Importiert',
    changes: 'Änderungen von Hand',
    answers: 'Beantwortete Fragen',
    skipped: 'Was übersprungen wurde und warum',
    nothing_skipped: 'Nichts wurde übersprungen.',
    with_errors: 'Zeilen mit Fehlern',
    removed: 'Zeilen, die Sie ausgelassen haben',
    refused: 'Zeilen, die ein Empfänger abgelehnt hat',
    columns: 'Nicht importierte Spalten',
    who_has: 'Welches System die Zeilen hat',
    the_page: 'Die Seite, von der Sie importiert haben',
    nowhere: 'Die Zeilen liegen nur im Importdienst.',
    undo: 'Rückgängig machen',
    until: 'Sie können diesen Import bis {date} rückgängig machen.',
    undone: 'Dieser Import wurde rückgängig gemacht.',
    never: 'Kein System macht diesen Import automatisch rückgängig.',
    by_hand: '{names}: nur von Hand.',
    reference: 'Kennung für den Support',
    save: 'Als Datei speichern',
  },
}
