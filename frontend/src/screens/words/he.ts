/** Hebrew. */

import type {AsideWords} from './words.js'

export const he: AsideWords = {
  page: {
    compare: 'השוואה לעמוד',
    rows: 'שורות בעמוד הזה',
    hint: 'אפשר לגרור קו או להזיז אותו במקשי החצים. המקש Delete מסיר קו של עמודה.',
    add: 'הוספת קו עמודה',
    read: 'קריאה מחדש',
    line: 'קו עמודה {number}',
    top: 'ראש הטבלה',
    bottom: 'תחתית הטבלה',
  },
  receipt: {
    title: 'אישור: {catalog}',
    came_in: 'מה התקבל',
    file: 'קובץ',
    uploaded: 'מועד ההעלאה',
    in_file: 'שורות בקובץ',
    imported: 'שורות שיובאו',
    applied: 'מועד הייבוא',
    changes: 'שינויים ידניים',
    answers: 'שאלות שנענו',
    skipped: 'על מה דילגנו ולמה',
    nothing_skipped: 'לא דילגנו על דבר.',
    with_errors: 'שורות עם שגיאות',
    removed: 'שורות שהוחרגו על ידך',
    refused: 'שורות שנדחו על ידי נמען',
    columns: 'עמודות שלא יובאו',
    who_has: 'באיזו מערכת נמצאות השורות',
    the_page: 'העמוד שממנו ייבאת',
    nowhere: 'השורות שמורות בשירות הייבוא בלבד.',
    undo: 'ביטול',
    until: 'אפשר לבטל את הייבוא הזה עד {date}.',
    undone: 'הייבוא הזה בוטל.',
    never: 'אין מערכת שמבטלת את הייבוא הזה באופן אוטומטי.',
    by_hand: '{names}: באופן ידני בלבד.',
    reference: 'מספר סימוכין לתמיכה',
    save: 'שמירה כקובץ',
  },
}
