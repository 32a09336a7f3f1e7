/** Polish. */

import type {AsideWords} from './words.js'

export const pl: AsideWords = {
  page: {
    compare: 'Porównaj ze stroną',
    rows: 'Wiersze tej strony',
    hint: 'Przeciągnij linię lub przesuń ją klawiszami strzałek. Delete usuwa linię kolumny.',
    add: 'Dodaj linię kolumny',
    read: 'Odczytaj ponownie',
    line: 'Linia kolumny {number}',
    top: 'Górna krawędź tabeli',
    bottom: 'Dolna krawędź tabeli',
  },
  receipt: {
    title: 'Potwierdzenie: {catalog}',
    came_in: 'Co otrzymano',
    file: 'Plik',
    uploaded: 'Przesłano',
    in_file: 'Wiersze w pliku',
    imported: 'Zaimportowane wiersze',
    applied: 'Zaimportowano',
    changes: 'Zmiany ręczne',
    answers: 'Pytania z odpowiedzią',
    skipped: 'Co pominięto i dlaczego',
    nothing_skipped: 'Niczego nie pominięto.',
    with_errors: 'Wiersze z błędami',
    removed: 'Wiersze wykluczone przez Ciebie',
    refused: 'Wiersze odrzucone przez odbiorcę',
    columns: 'Kolumny, których nie zaimportowano',
    who_has: 'Który system ma wiersze',
    the_page: 'Strona, z której zaimportowano',
    nowhere: 'Wiersze są przechowywane tylko w usłudze importu.',
    undo: 'Cofanie',
    until: 'Ten import można cofnąć do: {date}.',
    undone: 'Ten import został cofnięty.',
    never: 'Żaden system nie cofa tego importu automatycznie.',
    by_hand: '{names}: tylko ręcznie.',
    reference: 'Numer dla pomocy technicznej',
    save: 'Zapisz jako plik',
  },
}
