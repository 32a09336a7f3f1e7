"""The words of printed documents, by language."""

from __future__ import annotations

from dataclasses import dataclass, replace

from eval.printed.papers import Script


@dataclass(frozen=True, slots=True)
class Words:
    """One language: its Faker locale, its formats of numbers and dates, and its words."""

    locale: str
    point: str
    thousands: str
    date_form: str
    comma: str
    page: str
    payment: str
    titles: dict[str, str]
    labels: dict[str, str]
    columns: dict[str, str]
    totals: tuple[str, str, str]
    groups: tuple[str, str, str, str]
    units: tuple[str, ...]
    states: tuple[str, ...]
    qualities: tuple[str, ...]
    things: tuple[str, ...]
    blank: str  # between two words


_KINDS = (
    "plain", "invoice", "prices", "statement", "grouped", "two_tables", "notes", "wrapped", "tiers",
)  # fmt: skip
_COLUMNS = (
    "position", "article", "description", "quantity", "unit", "price", "total", "name", "city",
    "date", "email", "amount", "status", "text", "debit", "credit", "balance",
)  # fmt: skip


def _words(
    *,
    locale: str,
    numbers: tuple[str, str],
    date_form: str,
    titles: str,
    labels: str,
    columns: str,
    totals: str,
    groups: str,
    units: str,
    states: str,
    qualities: str,
    things: str,
    page: str,
    payment: str,
    comma: str = ", ",
    blank: str = " ",
) -> Words:
    total, tax, due = totals.split("|")
    first, two, three, four = groups.split("|")
    return Words(
        locale=locale,
        point=numbers[0],
        thousands=numbers[1],
        date_form=date_form,
        comma=comma,
        page=page,
        payment=payment,
        titles=dict(zip(_KINDS, titles.split("|"), strict=True)),
        labels=dict(zip(("date", "customer"), labels.split("|"), strict=True)),
        columns=dict(zip(_COLUMNS, columns.split("|"), strict=True)),
        totals=(total, tax, due),
        groups=(first, two, three, four),
        units=tuple(units.split("|")),
        states=tuple(states.split("|")),
        qualities=tuple(qualities.split("|")),
        things=tuple(things.split("|")),
        blank=blank,
    )


ENGLISH = _words(
    locale="en_US",
    numbers=(".", ","),
    date_form="%Y-%m-%d",
    titles="List of records|Invoice|Price list|Account statement|Report by group|Overview"
    "|List with notes|Offer|Comparison by year",
    labels="Date|Customer no.",
    columns="Pos|Item no.|Description|Qty|Unit|Unit price|Total|Name|City|Date|Email|Amount|Status"
    "|Details|Debit|Credit|Balance",
    totals="Subtotal|VAT 19 %|Total due",
    groups="Hardware|Services|Spare parts|Consumables",
    units="pcs|box|kg|m|set",
    states="open|paid|overdue",
    qualities="Steel|Blue|Small|Heavy duty|Folding|Stainless|Compact|Outdoor",
    things="screw|cabinet|lamp|hinge|toolbox|shelf|cable|filter|bracket|pump",
    page="Page",
    payment="Please pay by {day} without deduction.",
)
GERMAN = _words(
    locale="de_DE",
    numbers=(",", "."),
    date_form="%d.%m.%Y",
    titles="Liste|Rechnung|Preisliste|Kontoauszug|Bericht nach Gruppen|Übersicht"
    "|Liste mit Anmerkungen|Angebot|Vergleich nach Jahren",
    labels="Datum|Kundennummer",
    columns="Pos.|Artikelnr.|Bezeichnung|Menge|Einheit|Einzelpreis|Gesamt|Name|Ort|Datum|E-Mail"
    "|Betrag|Status|Buchungstext|Soll|Haben|Saldo",
    totals="Zwischensumme|MwSt. 19 %|Gesamtbetrag",
    groups="Werkzeug|Dienstleistungen|Ersatzteile|Verbrauchsmaterial",
    units="Stk|Karton|kg|m|Satz",
    states="offen|bezahlt|überfällig",
    qualities="Blaue|Kleine|Schwere|Klappbare|Rostfreie|Kompakte|Wetterfeste|Große",
    things="Schraube|Lampe|Pumpe|Leiter|Kiste|Säge|Dichtung|Halterung|Schürze|Tür",
    page="Seite",
    payment="Bitte zahlen Sie bis zum {day} ohne Abzug.",
)
FRENCH = _words(
    locale="fr_FR",
    numbers=(",", "\u00a0"),
    date_form="%d/%m/%Y",
    titles="Liste|Facture|Tarif|Relevé de compte|Rapport par groupe|Aperçu|Liste annotée|Devis"
    "|Comparaison par année",
    labels="Date|N° client",
    columns="N°|Référence|Désignation|Quantité|Unité|Prix unitaire|Total|Nom|Ville|Date|Courriel"
    "|Montant|Statut|Libellé|Débit|Crédit|Solde",
    totals="Sous-total|TVA 20 %|Total à payer",
    groups="Outillage|Services|Pièces détachées|Consommables",
    units="pce|boîte|kg|m|jeu",
    states="ouvert|payé|en retard",
    qualities="Petite|Grande|Nouvelle|Ancienne|Double|Longue|Belle|Fine",
    things="vis bleue|lampe|pompe|échelle|caisse|scie|clé|étagère|brosse|porte",
    page="Page",
    payment="À régler avant le {day}.",
)
SPANISH = _words(
    locale="es_ES",
    numbers=(",", "."),
    date_form="%d/%m/%Y",
    titles="Listado|Factura|Lista de precios|Extracto|Informe por grupo|Resumen"
    "|Listado con notas|Oferta|Comparación por año",
    labels="Fecha|Cliente",
    columns="Pos.|Referencia|Descripción|Cantidad|Unidad|Precio|Total|Nombre|Ciudad|Fecha|Correo"
    "|Importe|Estado|Concepto|Debe|Haber|Saldo",
    totals="Subtotal|IVA 21 %|Total a pagar",
    groups="Herramientas|Servicios|Repuestos|Consumibles",
    units="ud|caja|kg|m|juego",
    states="abierto|pagado|vencido",
    qualities="Pequeña|Gran|Nueva|Vieja|Doble|Larga|Buena|Fina",
    things="lámpara|bomba|escalera|caja|sierra|llave|estantería|puerta|brocha|bisagra",
    page="Página",
    payment="Páguese antes del {day}.",
)
ARABIC = _words(
    locale="ar_SA",
    numbers=(".", ","),
    date_form="%Y-%m-%d",
    titles="قائمة|فاتورة|قائمة الأسعار|كشف حساب|تقرير حسب المجموعة|نظرة عامة|قائمة مع ملاحظات|عرض"
    "|مقارنة حسب السنة",
    labels="التاريخ|رقم العميل",
    columns="رقم|رمز الصنف|الوصف|الكمية|الوحدة|سعر الوحدة|الإجمالي|الاسم|المدينة|التاريخ|البريد"
    "|المبلغ|الحالة|البيان|مدين|دائن|الرصيد",
    totals="المجموع الفرعي|ضريبة 15 %|المبلغ المستحق",
    groups="أدوات|خدمات|قطع غيار|مواد",
    units="قطعة|صندوق|كغ|متر",
    states="مفتوح|مدفوع|متأخر",
    qualities="صغير|كبير|أزرق|ثقيل|جديد|قديم",
    things="مصباح|مضخة|سلم|صندوق|منشار|مفتاح|رف|باب",
    page="صفحة",
    payment="يرجى الدفع قبل {day}.",
    comma="، ",
)
HEBREW = _words(
    locale="he_IL",
    numbers=(".", ","),
    date_form="%d/%m/%Y",
    titles="רשימה|חשבונית|מחירון|דף חשבון|דוח לפי קבוצה|סקירה|רשימה עם הערות|הצעה|השוואה לפי שנה",
    labels="תאריך|מספר לקוח",
    columns="מס|קוד פריט|תיאור|כמות|יחידה|מחיר יחידה|סך הכל|שם|עיר|תאריך|דואל|סכום|מצב|פרטים"
    "|חובה|זכות|יתרה",
    totals="סכום ביניים|מעמ 17 %|לתשלום",
    groups="כלים|שירותים|חלקי חילוף|חומרים",
    units="יחידה|קופסה|קג|מטר",
    states="פתוח|שולם|באיחור",
    qualities="קטן|גדול|כחול|כבד|חדש|ישן",
    things="בורג|ארון|מנורה|ציר|מדף|כבל|מסנן|סולם",
    page="עמוד",
    payment="נא לשלם עד {day}.",
)
CHINESE = _words(
    locale="zh_CN",
    numbers=(".", ","),
    date_form="%Y-%m-%d",
    titles="清单|发票|价目表|账户对账单|分组报告|概览|附注清单|报价|年度比较",
    labels="日期|客户编号",
    columns="序号|货号|描述|数量|单位|单价|合计|姓名|城市|日期|邮箱|金额|状态|摘要|借方|贷方|余额",
    totals="小计|增值税 13 %|应付总额",
    groups="工具|服务|备件|耗材",
    units="件|箱|公斤|米",
    states="未付|已付|逾期",
    qualities="蓝色|小型|大型|不锈钢|折叠|重型",
    things="螺丝|灯具|水泵|梯子|箱子|锯子|A4复印纸|USB数据线",
    page="页",
    payment="请于 {day} 前付款。",
    comma="，",
    blank="",
)
CHINESE_IN_FULL = replace(  # dates in words, brackets and marks as wide as a character
    CHINESE,
    date_form="%Y年%m月%d日",
    units=("个", "套", "千克", "立方米"),
    qualities=("蓝色（大）", "小型", "不锈钢", "折叠式", "重型", "第3代"),
    things=("螺丝", "灯具", "水泵", "梯子", "5号电池", "LED灯", "电缆（10米）", "过滤器"),
    comma="；",
)
LANGUAGES: dict[Script, tuple[Words, ...]] = {
    "latin": (ENGLISH, GERMAN, FRENCH, SPANISH),
    "arabic": (ARABIC,),
    "hebrew": (HEBREW,),
    "chinese": (CHINESE, CHINESE_IN_FULL),
}
