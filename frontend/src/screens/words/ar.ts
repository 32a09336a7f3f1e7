/** Arabic. */

import type {AsideWords} from './words.js'

export const ar: AsideWords = {
  page: {
    compare: 'المقارنة مع الصفحة',
    rows: 'صفوف هذه الصفحة',
    hint: 'اسحب خطًا أو حرّكه بمفاتيح الأسهم. يحذف المفتاح Delete خط العمود.',
    add: 'إضافة خط عمود',
    read: 'القراءة من جديد',
    line: 'خط العمود {number}',
    top: 'أعلى الجدول',
    bottom: 'أسفل الجدول',
  },
  receipt: {
    title: 'إيصال: {catalog}',
    came_in: 'ما وصل',
    file: 'الملف',
    uploaded: 'تاريخ الرفع',
    in_file: 'الصفوف في الملف',
    imported: 'الصفوف المستوردة',
    applied: 'تاريخ الاستيراد',
    changes: 'التغييرات اليدوية',
    answers: 'الأسئلة التي أُجيب عنها',
    skipped: 'ما تم تخطيه، ولماذا',
    nothing_skipped: 'لم يتم تخطي أي شيء.',
    with_errors: 'صفوف بها أخطاء',
    removed: 'صفوف استبعدتها',
    refused: 'صفوف رفضها مستلم',
    columns: 'أعمدة لم تُستورد',
    who_has: 'النظام الذي لديه الصفوف',
    the_page: 'الصفحة التي استوردت منها',
    nowhere: 'الصفوف محفوظة في خدمة الاستيراد فقط.',
    undo: 'التراجع',
    until: 'يمكنك التراجع عن هذا الاستيراد حتى {date}.',
    undone: 'تم التراجع عن هذا الاستيراد.',
    never: 'لا يوجد نظام يتراجع عن هذا الاستيراد تلقائيًا.',
    by_hand: '{names}: يدويًا فقط.',
    reference: 'مرجع للدعم',
    save: 'حفظ كملف',
  },
}
