/** What is said of several files, and of what each table becomes: it comes with the part that says it, in every language. */

const en = {
  title: 'What each table becomes',
  imported: 'Imported',
  ignored: 'Not imported',
  below: 'Below {table}',
  differs: 'Below {table}: these columns differ: {columns}',
  joined: '{first} with {other}: {child} = {parent}, {rate} match',
  most: 'You can import up to 20 files at a time.',
}
export type PlanWords = Record<keyof typeof en, string>

export const PLAN_WORDS: Record<string, PlanWords> = {
  en,
  de: {
    title: 'Was aus jeder Tabelle wird',
    imported: 'Importiert',
    ignored: 'Nicht importiert',
    below: 'Unter {table}',
    differs: 'Unter {table}: diese Spalten weichen ab: {columns}',
    joined: '{first} mit {other}: {child} = {parent}, {rate} passen',
    most: 'Sie können bis zu 20 Dateien auf einmal importieren.',
  },
  fr: {
    title: 'Ce que devient chaque tableau',
    imported: 'Importé',
    ignored: 'Non importé',
    below: 'Sous {table}',
    differs: 'Sous {table} : ces colonnes diffèrent : {columns}',
    joined: '{first} avec {other} : {child} = {parent}, {rate} correspondent',
    most: 'Vous pouvez importer jusqu’à 20 fichiers à la fois.',
  },
  es: {
    title: 'En qué se convierte cada tabla',
    imported: 'Importada',
    ignored: 'No importada',
    below: 'Debajo de {table}',
    differs: 'Debajo de {table}: estas columnas difieren: {columns}',
    joined: '{first} con {other}: {child} = {parent}, coincide el {rate}',
    most: 'Puede importar hasta 20 archivos a la vez.',
  },
  it: {
    title: 'Che cosa diventa ogni tabella',
    imported: 'Importata',
    ignored: 'Non importata',
    below: 'Sotto {table}',
    differs: 'Sotto {table}: queste colonne differiscono: {columns}',
    joined: '{first} con {other}: {child} = {parent}, corrisponde il {rate}',
    most: 'Si possono importare fino a 20 file alla volta.',
  },
  nl: {
    title: 'Wat elke tabel wordt',
    imported: 'Geïmporteerd',
    ignored: 'Niet geïmporteerd',
    below: 'Onder {table}',
    differs: 'Onder {table}: deze kolommen verschillen: {columns}',
    joined: '{first} met {other}: {child} = {parent}, {rate} komt overeen',
    most: 'U kunt maximaal 20 bestanden tegelijk importeren.',
  },
  pt: {
    title: 'Em que se torna cada tabela',
    imported: 'Importada',
    ignored: 'Não importada',
    below: 'Abaixo de {table}',
    differs: 'Abaixo de {table}: estas colunas diferem: {columns}',
    joined: '{first} com {other}: {child} = {parent}, {rate} correspondem',
    most: 'É possível importar até 20 ficheiros de cada vez.',
  },
  pl: {
    title: 'Czym stanie się każda tabela',
    imported: 'Importowana',
    ignored: 'Nieimportowana',
    below: 'Pod {table}',
    differs: 'Pod {table}: te kolumny się różnią: {columns}',
    joined: '{first} z {other}: {child} = {parent}, pasuje {rate}',
    most: 'Można importować do 20 plików naraz.',
  },
  ar: {
    title: 'ما يصبح عليه كل جدول',
    imported: 'يُستورد',
    ignored: 'لا يُستورد',
    below: 'أسفل {table}',
    differs: 'أسفل {table}: هذه الأعمدة مختلفة: {columns}',
    joined: '{first} مع {other}: {child} = {parent}، يتطابق {rate}',
    most: 'يمكن استيراد ما يصل إلى 20 ملفًا في المرة الواحدة.',
  },
  he: {
    title: 'מה תהיה כל טבלה',
    imported: 'מיובאת',
    ignored: 'לא מיובאת',
    below: 'מתחת ל-{table}',
    differs: 'מתחת ל-{table}: העמודות האלה שונות: {columns}',
    joined: '{first} עם {other}: {child} = {parent}, {rate} תואמים',
    most: 'אפשר לייבא עד 20 קבצים בכל פעם.',
  },
  ja: {
    title: '各表の扱い',
    imported: 'インポートする',
    ignored: 'インポートしない',
    below: '{table}の下に追加',
    differs: '{table}の下に追加: 次の列が異なります: {columns}',
    joined: '{first}と{other}: {child} = {parent}、{rate}が一致',
    most: '一度にインポートできるファイルは20個までです。',
  },
}

/** The words of a language; English where it is unknown. */
export const planWords = (language: string): PlanWords => PLAN_WORDS[language] ?? en
