"""
Headers as exported by well-known systems, with our own judgement of what is right.

A case is a block: ``## name language catalog``, then one line a column: header | values | truth.
Truth is a field key, ``-`` for none, or ``? key key @group`` for what must be asked.
"""

from dataclasses import dataclass, field

from tests.tabular.matching import trades

CATALOGS = {
    **trades.CATALOGS,
    "people": """
        fullName string Full name!
        email email E-mail!
        phone phone Phone
        company string Company
        street string Street
        zip string Postal code
        city string City
        country country_code_alpha_2 Country
        vatId vat_eu VAT ID
        createdAt datetime Customer since
        language string Language
    """,
    "leads": """
        givenName string Given name
        familyName string Family name!
        email email Email!
        phone phone Telephone
        mobile phone Mobile
        organisation string Organisation
        role string Job title
        city string City
        country string Country
        source string Lead source
        owner string Owner
        notes string Notes
    """,
    "rechnungen": """
        nummer string Rechnungsnummer!
        datum date Rechnungsdatum!
        faellig date Fälligkeitsdatum
        kunde string Kunde!
        kundennummer string Kundennummer
        netto float Nettobetrag
        steuer float Umsatzsteuer
        brutto float Bruttobetrag!
        waehrung currency_code Währung
    """,
    "articles": """
        sku string Article number!
        title string Title!
        price float Sales price!
        purchasePrice float Purchase price
        stock int Stock
        ean gtin EAN
        brand string Brand
        category string Category
        weight float Weight
        description string Description
        image url Image
        vatRate string VAT rate
    """,
    "staff": """
        personnelNumber string Personnel number!
        firstName string First name!
        lastName string Last name!
        email email Email
        mobile phone Mobile
        department string Department
        jobTitle string Job title
        entryDate date Entry date!
        exitDate date Exit date
        birthDate date Date of birth
        supervisor string Supervisor
        salary float Salary
        iban iban IBAN
        costCentre string Cost centre
    """,
    "umsaetze": """
        date date Date!
        amount float Amount!
        currency currency_code Currency
        payee string Payee
        payeeIban iban Payee IBAN
        text string Payment text
        balance float Balance
    """,
    "tickets": """
        key string Ticket key!
        subject string Subject!
        status string Status
        priority string Priority
        type string Type
        requester string Requester
        assignee string Assignee
        created datetime Created
        resolved datetime Resolved
        tags string Tags
        project string Project
    """,
    "times": """
        day date Day!
        person string Employee!
        project string Project!
        task string Task
        hours float Hours!
        rate float Hourly rate
        comment string Comment
        billable boolean Billable
    """,
    "attendees": """
        ticketNumber string Ticket number
        firstName string First name!
        lastName string Last name!
        email email Email!
        company string Company
        ticketType string Ticket type
        registeredAt datetime Registration date
        checkedIn boolean Checked in
        diet string Dietary requirements
    """,
    "vehicles": """
        plate string License plate!
        vin string VIN
        make string Make
        model string Model
        year int Year
        mileage int Mileage
        fuel string Fuel type
        firstRegistration date First registration
        driver string Driver
    """,
    "members": """
        memberNo string Member number!
        firstName string First name
        lastName string Last name!
        birthday date Birthday
        email email Email
        joined date Joined on
        left date Left on
        fee float Annual fee
        street string Street
        zip string ZIP
        city string City
        iban iban IBAN
    """,
    "subscriptions": """
        subscriptionId string Subscription ID!
        customerEmail email Customer email!
        plan string Plan
        status category Status
        quantity int Quantity
        amount float Amount
        currency currency_code Currency
        startDate date Start date
        endDate date End date
        cancelledAt date Cancelled at
    """,
    "flats": """
        reference string Listing reference!
        title string Title
        rent float Monthly rent
        area float Living area
        rooms float Rooms
        street string Street
        zip string Postal code
        city string City
        available date Available from
        energyClass string Energy class
    """,
    "purchases": """
        orderNo string Order number!
        orderDate date Order date!
        buyer string Buyer
        email email Buyer email
        item string Item name
        sku string Item number
        quantity int Quantity
        unitPrice float Unit price
        total float Total!
        shipCity string Ship-to city
        shipZip string Ship-to postal code
        shipCountry string Ship-to country
        paid string Payment method
    """,
    "patients": """
        patientId string Patient ID!
        firstName string First name!
        lastName string Last name!
        dob date Date of birth!
        sex string Sex
        phone phone Phone
        insurer string Insurance company
        policyNumber string Policy number
        doctor string Attending physician
        admission date Admission date
        discharge date Discharge date
        diagnosis string Diagnosis
        bloodType string Blood type
    """,
    "produits": """
        reference string Référence!
        designation string Désignation!
        prixVente float Prix de vente HT!
        prixAchat float Prix d'achat HT
        stock int Stock
        codeBarres gtin Code-barres
        famille string Famille
        fournisseur string Fournisseur
        poids float Poids (kg)
        tauxTva string Taux de TVA
    """,
    "empleados": """
        codigo string Código de empleado!
        nombre string Nombre!
        apellidos string Apellidos!
        correo email Correo electrónico
        telefono phone Teléfono
        departamento string Departamento
        puesto string Puesto
        fechaAlta date Fecha de alta!
        fechaBaja date Fecha de baja
        fechaNacimiento date Fecha de nacimiento
        salario float Salario anual
    """,
    "clienti": """
        codice string Codice cliente!
        ragioneSociale string Ragione sociale!
        partitaIva vat_eu Partita IVA
        indirizzo string Indirizzo
        cap string CAP
        citta string Città
        provincia string Provincia
        telefono phone Telefono
        email email Email
        pagamento string Condizioni di pagamento
    """,
    "klanten": """
        klantnummer string Klantnummer!
        bedrijf string Bedrijfsnaam!
        contactpersoon string Contactpersoon
        straat string Straat
        postcode string Postcode
        plaats string Plaats
        telefoon phone Telefoon
        email email E-mail
        btwNummer vat_eu Btw-nummer
        iban iban IBAN
    """,
    "zamowienia": """
        numer string Numer zamówienia!
        data date Data zamówienia!
        klient string Klient!
        email email E-mail
        status string Status
        wartosc float Wartość zamówienia!
        waluta currency_code Waluta
        dostawa string Sposób dostawy
        platnosc string Forma płatności
        list string Numer listu przewozowego
    """,
    "deals": """
        name string Deal name!
        amount float Amount!
        currency currency_code Currency
        stage string Stage
        closeDate date Close date
        owner string Owner
        company string Company
        contact string Contact person
        source string Source
        probability percentage Probability
        lostReason string Lost reason
    """,
    "tasks": """
        title string Title!
        assignee string Assignee
        status string Status
        priority string Priority
        startDate date Start date
        dueDate date Due date
        completedAt datetime Completed at
        project string Project
        estimate float Estimated hours
        notes string Notes
    """,
    "candidates": """
        firstName string First name!
        lastName string Last name!
        email email Email!
        phone phone Phone
        job string Applied position!
        stage string Stage
        source string Source
        appliedAt date Applied on
        recruiter string Recruiter
        location string Location
        linkedin url LinkedIn
    """,
    "donations": """
        donorName string Donor!
        email email Email
        amount float Amount!
        currency currency_code Currency
        date date Donation date!
        campaign string Campaign
        method string Payment method
        receipt string Receipt number
        street string Street
        zip string Postal code
        city string City
    """,
    "stays": """
        reservation string Reservation number!
        guest string Guest!
        arrival date Arrival!
        departure date Departure!
        nights int Nights
        adults int Adults
        room string Room
        price float Total price
        commission float Commission
        status string Status
        bookedOn date Booked on
    """,
    "students": """
        studentId string Student ID!
        firstName string First name!
        lastName string Last name!
        email email Email
        birthDate date Birth date
        class string Class
        course string Course
        grade string Grade
        enrolled date Enrollment date
        parentPhone phone Parent phone
    """,
    "expenses": """
        date date Date!
        employee string Employee!
        merchant string Merchant
        category string Category
        amount float Amount!
        currency currency_code Currency
        vat float VAT
        project string Project
        purpose string Purpose
        reimbursable boolean Reimbursable
    """,
    "shipments": """
        tracking string Tracking number!
        carrier string Carrier
        reference string Reference
        recipient string Recipient!
        street string Street
        zip string Postal code
        city string City
        country country_code_alpha_2 Country
        weight float Weight
        shippedAt date Ship date
        deliveredAt date Delivered on
        cost float Shipping cost
    """,
    "anlagen": """
        inventarnummer string Inventarnummer!
        bezeichnung string Bezeichnung!
        seriennummer string Seriennummer
        hersteller string Hersteller
        standort string Standort
        nutzer string Nutzer
        kaufdatum date Kaufdatum
        kaufpreis float Kaufpreis
        garantieBis date Garantie bis
        zustand string Zustand
    """,
    "payments": """
        date date Payment date!
        payer string Payer!
        amount float Amount!
        fee float Fee
        net float Net amount
        currency currency_code Currency
        reference string Reference
        status string Status
        email email Payer email
    """,
    "suppliersEn": """
        supplierNo string Supplier number!
        name string Supplier name!
        contact string Contact person
        email email Email
        phone phone Phone
        address string Address
        zip string Postal code
        city string City
        country country_code_alpha_2 Country
        vat vat_eu VAT number
        iban iban IBAN
        terms int Payment terms (days)
    """,
    "listings": """
        id string Property ID!
        address string Address!
        price float Price!
        bedrooms int Bedrooms
        bathrooms float Bathrooms
        area float Floor area
        yearBuilt int Year built
        type string Property type
        agent string Agent
        listedOn date Listed on
        status category Status
    """,
    "policies": """
        policyNumber string Policy number!
        holder string Policyholder!
        product string Product
        premium float Annual premium
        start date Start date!
        end date End date
        sumInsured float Sum insured
        broker string Broker
        birthDate date Date of birth
        claims int Number of claims
    """,
    "movements": """
        date datetime Date!
        sku string SKU!
        quantity int Quantity!
        warehouse string Warehouse
        location string Bin location
        type string Movement type
        reference string Reference
        user string User
        batch string Batch
        expiry date Expiry date
        unitCost float Unit cost
    """,
    "campaigns": """
        name string Campaign name!
        channel string Channel
        start date Start date
        end date End date
        budget float Budget
        spend float Spend
        impressions int Impressions
        clicks int Clicks
        conversions int Conversions
        revenue float Revenue
    """,
    "library": """
        isbn string ISBN!
        title string Title!
        author string Author
        publisher string Publisher
        year int Publication year
        language string Language
        pages int Pages
        shelf string Shelf mark
        borrower string Borrower
        due date Due date
        loaned date Loan date
    """,
    "menschen": """
        vorname string Vorname!
        nachname string Nachname!
        geburtsdatum date Geburtsdatum
        email email E-Mail-Adresse
        telefon phone Telefon
        handy phone Mobiltelefon
        strasse string Straße und Hausnummer
        plz zip_code_de PLZ
        ort string Ort
        iban iban IBAN
        eintritt date Eintrittsdatum
        bemerkung string Bemerkung
    """,
    "usage": """
        meter string Meter number!
        reading float Meter reading!
        readOn date Reading date!
        consumption float Consumption
        unit string Unit
        customer string Customer
        address string Address
        tariff string Tariff
    """,
}

CASES = """
## salesforce_leads en leads
Lead ID | hex | -
First Name | first | givenName
Last Name | last | familyName
Title | job | role
Company / Account | company | organisation
Email | email | email
Phone | phone | phone
Mobile | mobile | mobile
City | city | city
State/Province | region | -
Country | country | country
Lead Source | pick Web;Referral;Event | source
Lead Owner | person | owner
Lead Status | pick Open;Working;Closed | -
Created Date | date | -
Last Modified Date | date | -
Description | prose | notes

## pipedrive_people en leads
Person - First name | first | givenName
Person - Last name | last | familyName
Person - Email | email | email
Person - Phone | phone | phone
Person - Organization | company | organisation
Person - Job title | job | role
Person - Owner | person | owner
Person - Open deals | int | -
Person - Update time | datetime | -
Person - Person created | datetime | -

## outlook_fr fr leads
Titre | pick M.;Mme | -
Prénom | first | givenName
Nom | last | familyName
Société | company | organisation
Service | pick Ventes;Achats | -
Fonction | job | role
Ville (bureau) | city | city
Pays (bureau) | country | country
Téléphone (bureau) | phone | phone
Téléphone mobile | mobile | mobile
Adresse de messagerie | email | email
Notes | prose | notes

## google_es es leads
Nombre | first | givenName
Apellidos | last | familyName
Correo electrónico | email | email
Teléfono fijo | phone | phone
Móvil | mobile | mobile
Empresa | company | organisation
Cargo | job | role
Población | city | city
País | country | country
Observaciones | prose | notes
Fecha de alta | date | -

## contatti_it it leads
Nome | first | givenName
Cognome | last | familyName
Azienda | company | organisation
Qualifica | job | role
Telefono | phone | phone
Cellulare | mobile | mobile
E-mail | email | email
Città | city | city
Provincia | region | -
Nazione | country | country
Note | prose | notes
Codice fiscale | code16 | -

## kontakty_pl pl leads
Imię | first | givenName
Nazwisko | last | familyName
Firma | company | organisation
Stanowisko | job | role
Telefon | phone | phone
Telefon komórkowy | mobile | mobile
Adres e-mail | email | email
Miasto | city | city
Kraj | country | country
Źródło | pick Targi;WWW | source
Opiekun | person | owner
Uwagi | prose | notes

## clientes_pt pt leads
Nome próprio | first | givenName
Apelido | last | familyName
Empresa | company | organisation
Cargo | job | role
Telefone | phone | phone
Telemóvel | mobile | mobile
Correio eletrónico | email | email
Cidade | city | city
País | country | country
Observações | prose | notes

## relaties_nl nl leads
Voornaam | first | givenName
Tussenvoegsel | pick van;de;van der | -
Achternaam | last | familyName
Bedrijfsnaam | company | organisation
Functie | job | role
Telefoonnummer | phone | phone
Mobiel nummer | mobile | mobile
E-mailadres | email | email
Woonplaats | city | city
Land | country | country
Opmerkingen | prose | notes

## woocommerce_customers en people
Name | person | fullName
Username | user | -
Last Active | date | -
Date Registered | datetime | createdAt
Email | email | email
Orders | int | -
Total Spend | amount | -
AOV | amount | -
Country / Region | cc | country
City | city | city
Region | region | -
Postal Code | zip | zip

## lexware_kunden de people
Kundennr. | seq | -
Anrede | pick Herr;Frau | -
Name | person | fullName
Firma | company | company
Straße | street | street
PLZ | zip | zip
Ort | city | city
Land | cc | country
Telefon | phone | phone
Telefax | phone | -
E-Mail | email | email
USt-IdNr. | vat | vatId
Sprache | pick DE;EN | language
Kunde seit | dmy | createdAt

## shopify_customers en people
First Name | first | ? fullName @n
Last Name | last | ? fullName @n
Email | email | email
Accepts Email Marketing | pick yes;no | -
Company | company | company
Address1 | street | street
Address2 | empty | -
City | city | city
Province | region | -
Country Code | cc | country
Zip | zip | zip
Phone | phone | phone
Total Orders | int | -
Note | prose | -
Tax Exempt | pick yes;no | -

## lexware_belege de rechnungen
Belegnummer | code RE | nummer
Belegdatum | dmy | datum
Fälligkeit | dmy | faellig
Kundenname | company | kunde
Kundennr | seq | kundennummer
Netto | amountde | netto
MwSt | amountde | steuer
Brutto | amountde | brutto
Währung | const EUR | waehrung
Bezahlt am | dmy | -
Mahnstufe | int | -

## sap_debitoren de rechnungen
BELNR | seq | nummer
BLDAT | ymd | datum
NETDT | ymd | faellig
NAME1 | company | kunde
KUNNR | seq | kundennummer
WRBTR | amount | ? netto brutto @amount
WAERS | const EUR | waehrung
BUKRS | const 1000 | -
USNAM | pick MUELLER;KLEIN | -

## sevdesk de rechnungen
Rechnungsnr. | code RE | nummer
Datum | dmy | datum
Fällig am | dmy | faellig
Empfänger | company | kunde
Summe netto | amountde | netto
Steuersatz | pick 19;7 | -
Steuerbetrag | amountde | steuer
Summe brutto | amountde | brutto
Status | pick Offen;Bezahlt | -

## fatture_it it rechnungen
Numero fattura | code FT | nummer
Data fattura | dmy | datum
Scadenza | dmy | faellig
Ragione sociale | company | kunde
Codice cliente | seq | kundennummer
Imponibile | amountde | netto
IVA | amountde | steuer
Totale documento | amountde | brutto
Valuta | const EUR | waehrung

## facturas_es es rechnungen
Nº Factura | code F | nummer
Fecha de expedición | dmy | datum
Vencimiento | dmy | faellig
Cliente | company | kunde
Base imponible | amountde | netto
Cuota IVA | amountde | steuer
Total factura | amountde | brutto
Moneda | const EUR | waehrung
Forma de pago | pick Transferencia;Tarjeta | -

## faktury_pl pl rechnungen
Numer faktury | code FV | nummer
Data wystawienia | ymd2 | datum
Termin płatności | ymd2 | faellig
Nabywca | company | kunde
Wartość netto | amountde | netto
Kwota VAT | amountde | steuer
Wartość brutto | amountde | brutto
Waluta | const PLN | waehrung
Data sprzedaży | ymd2 | -

## facturen_nl nl rechnungen
Factuurnummer | code F | nummer
Factuurdatum | dmy | datum
Vervaldatum | dmy | faellig
Klantnaam | company | kunde
Debiteurnummer | seq | kundennummer
Bedrag excl. btw | amountde | netto
Btw-bedrag | amountde | steuer
Bedrag incl. btw | amountde | brutto
Openstaand | amountde | -

## faturas_pt pt rechnungen
N.º da fatura | code FT | nummer
Data de emissão | dmy | datum
Data de vencimento | dmy | faellig
Cliente | company | kunde
Valor líquido | amountde | netto
Valor do IVA | amountde | steuer
Valor total | amountde | brutto
Moeda | const EUR | waehrung

## xero_bills en rechnungen
Invoice Number | code INV | nummer
Contact | company | kunde
Date | date | datum
Due Date | date | faellig
Paid | amount | -
Due | amount | -
Net | amount | netto
VAT | amount | steuer
Gross | amount | brutto
Sent | pick Sent;Not sent | -

## sage_stock en articles
Product Code | code P | sku
Product Name | thing | title
Sales Price | amount | price
Last Cost Price | amount | purchasePrice
Quantity in Stock | int | stock
Barcode | gtin | ean
Supplier A/C | code S | -
Tax Code | pick T1;T0 | vatRate
Nominal Code | const 4000 | -
Weight (kg) | weight | weight
Product Category | pick Bags;Shoes;Hats | category

## jtl_artikel de articles
Artikelnummer | code A | sku
Artikelname | thing | title
GTIN | gtin | ean
Netto-VK | amountde | price
EK Netto | amountde | purchasePrice
Lagerbestand gesamt | int | stock
Hersteller | brand | brand
Warengruppe | pick Taschen;Schuhe;Hüte | category
Artikelgewicht | weight | weight
Beschreibung | prose | description
Bild 1 | image | image
Steuersatz in % | pick 19;7 | vatRate

## prestashop_fr fr articles
Référence | code R | sku
Désignation | thing | title
Prix de vente TTC | amountde | price
Prix d'achat HT | amountde | purchasePrice
Quantité en stock | int | stock
Code-barres | gtin | ean
Marque | brand | brand
Catégorie | pick Sacs;Chaussures | category
Poids (kg) | weight | weight
Descriptif | prose | description
Taux de TVA | pick 20;5,5 | vatRate

## magazzino_it it articles
Codice articolo | code A | sku
Descrizione breve | thing | title
Prezzo di vendita | amountde | price
Prezzo di acquisto | amountde | purchasePrice
Giacenza | int | stock
Codice a barre | gtin | ean
Marca | brand | brand
Categoria merceologica | pick Borse;Scarpe | category
Peso (kg) | weight | weight
Aliquota IVA | pick 22;10 | vatRate
Ubicazione | code U | -

## towary_pl pl articles
Symbol | code T | sku
Nazwa towaru | thing | title
Cena sprzedaży | amountde | price
Cena zakupu | amountde | purchasePrice
Stan magazynowy | int | stock
Kod kreskowy | gtin | ean
Producent | brand | brand
Grupa | pick Torby;Buty | category
Waga | weight | weight
Opis | prose | description
Stawka VAT | pick 23;8 | vatRate

## amazon_listings en articles
seller-sku | code S | sku
item-name | thing | title
item-description | prose | description
price | amount | price
quantity | int | stock
image-url | image | image
listing-id | hex | -
open-date | datetime | -
asin1 | code B0 | -
product-id | gtin | ean
fulfillment-channel | const DEFAULT | -

## workday en staff
Employee ID | seq | personnelNumber
Legal First Name | first | firstName
Legal Last Name | last | lastName
Work Email Address | email | email
Business Title | job | jobTitle
Department | pick Sales;Finance | department
Hire Date | date | entryDate
Last Day of Work | date | exitDate
Date of Birth | date | birthDate
Manager Name | person | supervisor
Base Salary | amount | salary
Cost Center Code | int | costCentre
Worker Status | pick Active;Terminated | -

## datev_lohn de staff
Pers.-Nr. | seq | personnelNumber
Vorname | first | firstName
Familienname | last | lastName
Geb.-Datum | dmy | birthDate
Eintrittsdatum | dmy | entryDate
Austrittsdatum | dmy | exitDate
Kostenstelle | int | costCentre
Bruttolohn | amountde | salary
IBAN | iban | iban
Steuerklasse | pick 1;3;4 | -
Handynummer | mobile | mobile
Mailadresse | email | email
Abt. | pick Vertrieb;Einkauf | department

## salaries_fr fr staff
Matricule | seq | personnelNumber
Nom | last | lastName
Prénom | first | firstName
Date de naissance | dmy | birthDate
Date d'entrée | dmy | entryDate
Date de sortie | dmy | exitDate
Poste | job | jobTitle
Service | pick Ventes;Achats | department
Responsable hiérarchique | person | supervisor
Salaire brut annuel | amountde | salary
Adresse e-mail professionnelle | email | email
N° sécurité sociale | code15 | -

## nomina_es es staff
Nº empleado | seq | personnelNumber
Nombre | first | firstName
Apellidos | last | lastName
Fecha nacimiento | dmy | birthDate
Fecha de alta | dmy | entryDate
Fecha de baja | dmy | exitDate
Puesto | job | jobTitle
Departamento | pick Ventas;Compras | department
Salario bruto anual | amountde | salary
Centro de coste | int | costCentre
DNI | code9 | -

## dipendenti_it it staff
Matricola | seq | personnelNumber
Cognome | last | lastName
Nome | first | firstName
Data di nascita | dmy | birthDate
Data assunzione | dmy | entryDate
Data cessazione | dmy | exitDate
Mansione | job | jobTitle
Reparto | pick Vendite;Acquisti | department
RAL | amountde | salary
Email aziendale | email | email
Codice fiscale | code16 | -

## pracownicy_pl pl staff
Nr ewidencyjny | seq | personnelNumber
Imię | first | firstName
Nazwisko | last | lastName
Data urodzenia | ymd2 | birthDate
Data zatrudnienia | ymd2 | entryDate
Data zwolnienia | ymd2 | exitDate
Stanowisko | job | jobTitle
Dział | pick Handel;Zakupy | department
Przełożony | person | supervisor
Wynagrodzenie zasadnicze | amountde | salary
PESEL | code11 | -

## comdirect de umsaetze
Buchungstag | dmy | ? date @d
Wertstellung (Valuta) | dmy | ? date @d
Vorgang | pick Übertrag;Lastschrift | -
Buchungstext | prose | text
Umsatz in EUR | amountde | amount

## n26 en umsaetze
Date | date | date
Payee | company | payee
Account number | iban | payeeIban
Transaction type | pick Transfer;Card | -
Payment reference | prose | text
Amount (EUR) | amount | amount
Amount (Foreign Currency) | empty | -
Exchange Rate | empty | -

## barclays_split en umsaetze
Date | date | date
Memo | prose | text
Paid out | amount | ? amount @a
Paid in | amount | ? amount @a
Balance | amount | balance

## bnp_fr fr umsaetze
Date opération | dmy | ? date @d
Date valeur | dmy | ? date @d
Libellé | prose | text
Débit | amountde | ? amount @a
Crédit | amountde | ? amount @a
Devise | const EUR | currency

## bbva_es es umsaetze
F. Valor | dmy | -
Fecha | dmy | date
Concepto | prose | text
Importe | amountde | amount
Divisa | const EUR | currency
Disponible | amountde | -
Beneficiario | company | payee

## intesa_it it umsaetze
Data contabile | dmy | ? date @d
Data valuta | dmy | ? date @d
Descrizione operazione | prose | text
Importo | amountde | amount
Divisa | const EUR | currency
Saldo | amountde | balance

## ing_nl nl umsaetze
Datum | ymd | date
Naam / Omschrijving | company | payee
Rekening | iban | -
Tegenrekening | iban | payeeIban
Code | pick BA;GT;IC | -
Af Bij | pick Af;Bij | -
Bedrag (EUR) | amountde | amount
Mededelingen | prose | text

## mbank_pl pl umsaetze
Data operacji | ymd2 | ? date @d
Data księgowania | ymd2 | ? date @d
Tytuł | prose | text
Nadawca/Odbiorca | company | payee
Numer konta | iban | payeeIban
Kwota | amountde | amount
Saldo po operacji | amountde | balance

## cgd_pt pt umsaetze
Data mov. | dmy | ? date @d
Data valor | dmy | ? date @d
Descrição | prose | text
Montante | amountde | amount
Saldo contabilístico | amountde | balance

## jira en tickets
Issue key | code PRJ | key
Summary | prose | subject
Status | pick To Do;Done | status
Priority | pick High;Low | priority
Issue Type | pick Bug;Story | type
Reporter | person | requester
Assignee | person | assignee
Created | datetime | created
Updated | datetime | -
Resolved | datetime | resolved
Labels | word | tags
Project name | pick Apollo;Zeus | project
Issue id | int | -

## zendesk en tickets
Ticket ID | seq | key
Subject | prose | subject
Status | pick open;solved | status
Priority | pick high;low | priority
Ticket type | pick question;incident | type
Requester | person | requester
Assignee | person | assignee
Created at | datetime | created
Solved at | datetime | resolved
Updated at | datetime | -
Tags | word | tags
Satisfaction Score | pick Good;Bad | -

## otrs_de de tickets
Ticketnummer | seq | key
Betreff | prose | subject
Status | pick offen;geschlossen | status
Priorität | pick hoch;niedrig | priority
Kunde | person | requester
Bearbeiter | person | assignee
Erstellt am | datetime | created
Gelöst am | datetime | resolved
Geändert am | datetime | -

## toggl en times
User | person | person
Client | company | -
Project | pick Apollo;Zeus | project
Task | pick Design;Coding | task
Description | prose | comment
Billable | pick Yes;No | billable
Start date | date | day
Duration | hours | hours
Tags | empty | -

## clockodo_de de times
Mitarbeiter | person | person
Kunde | company | -
Projekt | pick Apollo;Zeus | project
Tätigkeit | pick Entwurf;Beratung | task
Datum | dmy | day
Stunden | hours | hours
Stundensatz | amountde | rate
Bemerkung | prose | comment
Abrechenbar | pick ja;nein | billable

## eventbrite en attendees
Order no. | seq | -
Order Date | datetime | -
First Name | first | firstName
Surname | last | lastName
Email | email | email
Quantity | const 1 | -
Ticket Type | pick Early Bird;Regular | ticketType
Company | company | company
Attendee Status | const Attending | -
Dietary needs | pick vegan;none | diet

## teilnehmer_de de attendees
Ticketnr. | code T | ticketNumber
Vorname | first | firstName
Nachname | last | lastName
E-Mail-Adresse | email | email
Organisation | company | company
Ticketart | pick Frühbucher;Normal | ticketType
Angemeldet am | dmy | registeredAt
Anwesend | pick ja;nein | checkedIn
Unverträglichkeiten | pick vegan;keine | diet

## fuhrpark_de de vehicles
Kennzeichen | plate | plate
Fahrgestellnummer | vin | vin
Hersteller | pick VW;BMW;Ford | make
Modell | pick Golf;X1;Focus | model
Baujahr | year | year
Kilometerstand | bigint | mileage
Kraftstoff | pick Diesel;Benzin | fuel
Erstzulassung | dmy | firstRegistration
Fahrer | person | driver
TÜV bis | dmy | -

## flotte_fr fr vehicles
Immatriculation | plate | plate
Marque | pick Renault;Peugeot | make
Modèle | pick Clio;308 | model
Année | year | year
Kilométrage | bigint | mileage
Carburant | pick Diesel;Essence | fuel
Conducteur | person | driver
Date de mise en circulation | dmy | firstRegistration

## verein_de de members
Mitgliedsnummer | seq | memberNo
Vorname | first | firstName
Nachname | last | lastName
Geburtstag | dmy | birthday
E-Mail | email | email
Eintritt | dmy | joined
Austritt | dmy | left
Jahresbeitrag | amountde | fee
Straße + Nr. | street | street
PLZ | zip | zip
Ort | city | city
IBAN | iban | iban
Kontoinhaber | person | -

## plz_ort_de de members
Mitglied Nr. | seq | memberNo
Name | person | ? firstName lastName @n
Geb. | dmy | birthday
Mail | email | email
Anschrift | street | street
PLZ/Ort | zipcity | ? zip city @z

## stripe_subscriptions en subscriptions
id | hex | subscriptionId
Customer Email | email | customerEmail
Customer ID | hex | -
Plan | pick Basic;Pro | plan
Quantity | int | quantity
Currency | const usd | currency
Amount | amount | amount
Status | pick active;canceled | status
Created (UTC) | datetime | -
Start (UTC) | datetime | startDate
Canceled At (UTC) | datetime | cancelledAt
Ended At (UTC) | datetime | endDate

## immoscout_de de flats
Objektnummer | code O | reference
Titel | prose | title
Kaltmiete | amountde | rent
Wohnfläche (m²) | int | area
Zimmer | int | rooms
Straße | street | street
PLZ | zip | zip
Ort | city | city
Bezugsfrei ab | dmy | available
Energieeffizienzklasse | pick A;B;C | energyClass
Nebenkosten | amountde | -

## ebay_orders en purchases
Sales Record Number | seq | -
Order Number | code O | orderNo
Buyer Username | user | -
Buyer Name | person | buyer
Buyer Email | email | email
Item Title | thing | item
Custom Label (SKU) | code S | sku
Quantity | int | quantity
Sold For | amount | unitPrice
Total Price | amount | total
Sale Date | date | orderDate
Ship To City | city | shipCity
Ship To Zip | zip | shipZip
Ship To Country | country | shipCountry
Payment Method | pick PayPal;Card | paid

## bestellungen_de de purchases
Auftragsnr. | seq | orderNo
Auftragsdatum | dmy | orderDate
Kundenname | person | buyer
Kunden-E-Mail | email | email
Artikelbezeichnung | thing | item
Art.-Nr. | code A | sku
Menge | int | quantity
Einzelpreis | amountde | unitPrice
Gesamtpreis | amountde | total
Lieferort | city | shipCity
Liefer-PLZ | zip | shipZip
Lieferland | country | shipCountry
Zahlweise | pick PayPal;Karte | paid

## pedidos_es es purchases
Nº de pedido | seq | orderNo
Fecha del pedido | dmy | orderDate
Comprador | person | buyer
Correo del comprador | email | email
Artículo | thing | item
Código artículo | code A | sku
Unidades | int | quantity
Precio unitario | amountde | unitPrice
Total | amountde | total
Ciudad de envío | city | shipCity
CP de envío | zip | shipZip
País de envío | country | shipCountry
Forma de pago | pick PayPal;Tarjeta | paid

## headerless_staff en staff
Column 1 | seq | personnelNumber
Column 2 | first | firstName
Column 3 | last | lastName
Column 4 | email | email
Column 5 | iban | iban

## cryptic_articles en articles
PRDCOD | code P | sku
PRDNAM | thing | title
SLSPRC | amount | price
PURPRC | amount | purchasePrice
STKQTY | int | stock
EAN13 | gtin | ean
UPDDAT | ymd | -
UPDUSR | pick ADM;USR | -
## hubspot_deals en deals
Record ID | hex | -
Deal Name | thing | name
Deal Stage | pick Won;Lost;Open | stage
Close Date | date | closeDate
Deal owner | person | owner
Amount | amount | amount
Amount in company currency | amount | -
Currency | const EUR | currency
Deal probability | pick 0.2;0.5;0.8 | probability
Associated Company | company | company
Associated Contact | person | contact
Original Source Type | pick Ads;Direct | source
Closed Lost Reason | prose | lostReason
Create Date | datetime | -
Pipeline | const Sales | -

## pipedrive_deals_de de deals
Deal - Titel | thing | name
Deal - Wert | amountde | amount
Deal - Währung | const EUR | currency
Deal - Phase | pick Angebot;Verhandlung | stage
Deal - Besitzer | person | owner
Deal - Organisation | company | company
Deal - Kontaktperson | person | contact
Deal - Wahrscheinlichkeit | pick 20;50 | probability
Deal - Erwartetes Abschlussdatum | dmy | closeDate
Deal - Grund für Verlust | prose | lostReason
Deal - Deal erstellt | datetime | -

## asana en tasks
Task ID | hex | -
Created At | date | -
Completed At | date | completedAt
Last Modified | date | -
Name | thing | title
Section/Column | pick To do;Doing | -
Assignee | person | assignee
Assignee Email | email | -
Start Date | date | startDate
Due Date | date | dueDate
Tags | empty | -
Notes | prose | notes
Projects | pick Apollo;Zeus | project
Priority | pick High;Low | priority
Estimated time | hours | estimate

## planner_de de tasks
Vorgangs-ID | hex | -
Aufgabenname | thing | title
Fortschritt | pick Nicht begonnen;Erledigt | status
Priorität | pick Hoch;Mittel | priority
Zugewiesen an | person | assignee
Erstellt von | person | -
Erstellt am | dmy | -
Startdatum | dmy | startDate
Fälligkeitsdatum | dmy | dueDate
Abgeschlossen am | dmy | completedAt
Beschreibung | prose | notes

## greenhouse en candidates
Candidate First Name | first | firstName
Candidate Last Name | last | lastName
Email | email | email
Phone | phone | phone
Job | job | job
Current Stage | pick Screen;Offer | stage
Source | pick LinkedIn;Referral | source
Applied On | date | appliedAt
Recruiter | person | recruiter
Office | city | location
Rejection Reason | prose | -

## bewerber_de de candidates
Vorname | first | firstName
Nachname | last | lastName
E-Mail | email | email
Telefonnummer | phone | phone
Beworben auf Stelle | job | job
Phase | pick Interview;Angebot | stage
Quelle | pick StepStone;Empfehlung | source
Bewerbungsdatum | dmy | appliedAt
Gehaltsvorstellung | amountde | -
Wohnort | city | -

## booking_com en stays
Book number | seq | reservation
Booked by | person | -
Guest Name(s) | person | guest
Check-in | date | arrival
Check-out | date | departure
Booked on | datetime | bookedOn
Status | pick ok;cancelled | status
Rooms | int | -
Adults | int | adults
Price | amount | price
Commission % | pick 15;18 | -
Commission Amount | amount | commission
Duration (nights) | int | nights

## hotel_es es stays
Nº reserva | seq | reservation
Huésped | person | guest
Fecha de entrada | dmy | arrival
Fecha de salida | dmy | departure
Noches | int | nights
Adultos | int | adults
Habitación | pick 101;204;305 | room
Precio total | amountde | price
Comisión | amountde | commission
Estado | pick Confirmada;Cancelada | status

## hotel_it it stays
Numero prenotazione | seq | reservation
Ospite | person | guest
Data di arrivo | dmy | arrival
Data di partenza | dmy | departure
Notti | int | nights
Camera | pick 101;204;305 | room
Totale | amountde | price
Stato | pick Confermata;Annullata | status
Data prenotazione | dmy | bookedOn

## donorbox en donations
Name | person | donorName
Donor's First Name | first | -
Donor's Last Name | last | -
Donor Email | email | email
Address | street | street
City | city | city
Postal Code | zip | zip
Country | country | -
Amount | amount | amount
Currency | const USD | currency
Donated At | datetime | date
Campaign | pick Winter;School | campaign
Donation Type | pick card;paypal | method
Receipt Id | hex | receipt

## spenden_de de donations
Spender | person | donorName
E-Mail-Adresse | email | email
Betrag | amountde | amount
Spendendatum | dmy | date
Kampagne | pick Winter;Schule | campaign
Zahlungsart | pick Lastschrift;PayPal | method
Quittungsnummer | code Q | receipt
Straße | street | street
PLZ | zip | zip
Ort | city | city

## clinic_en en patients
MRN | seq | patientId
Given Name | first | firstName
Surname | last | lastName
DOB | date | dob
Gender | pick M;F | sex
Contact No. | phone | phone
Insurance Provider | company | insurer
Insurance Policy # | code POL | policyNumber
Primary Physician | person | doctor
Date Admitted | date | admission
Date Discharged | date | discharge
Diagnosis Description | prose | diagnosis
Blood Group | pick A+;0-;B+ | bloodType

## praxis_de de patients
Patientennummer | seq | patientId
Nachname | last | lastName
Vorname | first | firstName
Geburtsdatum | dmy | dob
Geschlecht | pick m;w | sex
Telefon | phone | phone
Krankenkasse | company | insurer
Versichertennummer | code K | policyNumber
Behandelnder Arzt | person | doctor
Aufnahmedatum | dmy | admission
Entlassungsdatum | dmy | discharge
Diagnose | prose | diagnosis
Blutgruppe | pick A+;0-;B+ | bloodType

## pacientes_es es patients
Nº historia clínica | seq | patientId
Nombre | first | firstName
Apellidos | last | lastName
Fecha de nacimiento | dmy | dob
Sexo | pick H;M | sex
Teléfono | phone | phone
Aseguradora | company | insurer
Médico | person | doctor
Fecha de ingreso | dmy | admission
Fecha de alta | dmy | discharge
Diagnóstico | prose | diagnosis
Grupo sanguíneo | pick A+;0-;B+ | bloodType

## moodle en students
ID number | seq | studentId
First name | first | firstName
Surname | last | lastName
Email address | email | email
Course full name | thing | course
Group | pick 7a;7b | class
Final grade | pick 1;2;3 | grade
Last course access | datetime | -

## schule_de de students
Schülernummer | seq | studentId
Familienname | last | lastName
Vorname | first | firstName
Geb.datum | dmy | birthDate
Klasse | pick 7a;7b | class
Fach | pick Mathe;Deutsch | course
Note | pick 1;2;3 | grade
Einschulungsdatum | dmy | enrolled
Telefon Eltern | phone | parentPhone

## expensify en expenses
Timestamp | datetime | date
Submitted by | person | employee
Merchant | company | merchant
Category | pick Travel;Meals | category
Amount | amount | amount
Original Currency | const EUR | currency
Tax amount | amount | vat
Project | pick Apollo;Zeus | project
Business purpose | prose | purpose
Reimbursable | pick yes;no | reimbursable
Receipt | image | -

## spesen_de de expenses
Belegdatum | dmy | date
Mitarbeiter | person | employee
Händler | company | merchant
Kategorie | pick Reise;Essen | category
Betrag | amountde | amount
Währung | const EUR | currency
MwSt.-Betrag | amountde | vat
Projekt | pick Apollo;Zeus | project
Zweck | prose | purpose
Erstattungsfähig | pick ja;nein | reimbursable

## dhl_de de shipments
Sendungsnummer | code JD | tracking
Referenz | code R | reference
Empfängername | person | recipient
Straße und Hausnummer | street | street
Postleitzahl | zip | zip
Ort | city | city
Ländercode | cc | country
Gewicht in kg | weight | weight
Versanddatum | dmy | shippedAt
Zugestellt am | dmy | deliveredAt
Versandkosten | amountde | cost
Absendername | company | -

## ups_en en shipments
Tracking Number | code 1Z | tracking
Reference Number(s) | code R | reference
Service | pick Express;Standard | -
Ship To Name | person | recipient
Ship To Address Line 1 | street | street
Ship To City | city | city
Ship To Postal Code | zip | zip
Ship To Country/Territory | cc | country
Package Weight | weight | weight
Date Delivered | date | deliveredAt
Shipper Name | company | -

## expeditions_fr fr shipments
Numéro de suivi | code X | tracking
Transporteur | pick Chronopost;GLS | carrier
Référence commande | code R | reference
Destinataire | person | recipient
Adresse | street | street
Code postal | zip | zip
Ville | city | city
Code pays | cc | country
Poids (kg) | weight | weight
Date d'expédition | dmy | shippedAt
Livré le | dmy | deliveredAt
Frais de port | amountde | cost

## sap_anlagen de anlagen
ANLN1 | seq | inventarnummer
TXT50 | thing | bezeichnung
SERNR | serial | seriennummer
HERST | pick Dell;HP | hersteller
STORT | pick BER1;MUC2 | standort
AKTIV | ymd | kaufdatum
ANSWT | amount | kaufpreis
BUKRS | const 1000 | -

## it_inventar_de de anlagen
Inventarnr. | seq | inventarnummer
Gerätename | thing | bezeichnung
Serien-Nr. | serial | seriennummer
Hersteller | pick Dell;HP | hersteller
Raum | pick A1;B2 | standort
Zugewiesen an | person | nutzer
Anschaffungsdatum | dmy | kaufdatum
Anschaffungspreis | amountde | kaufpreis
Garantie bis | dmy | garantieBis
Status | pick aktiv;defekt | zustand
IP-Adresse | ip | -

## immobilisations_fr fr anlagen
Code immo | seq | inventarnummer
Désignation | thing | bezeichnung
N° de série | serial | seriennummer
Marque | pick Dell;HP | hersteller
Emplacement | pick A1;B2 | standort
Utilisateur | person | nutzer
Date d'acquisition | dmy | kaufdatum
Valeur d'acquisition | amountde | kaufpreis
État | pick neuf;usagé | zustand
Amortissement cumulé | amountde | -

## gocardless en payments
Payment ID | hex | reference
Charge date | date | date
Customer Name | person | payer
Customer Email | email | email
Gross Amount | amount | amount
Fees | amount | fee
Net Amount | amount | net
Currency | const GBP | currency
Payment Status | pick paid;failed | status
Created at | datetime | -

## odoo_produits_fr fr produits
Référence interne | code R | reference
Nom | thing | designation
Prix de vente | amountde | prixVente
Coût | amountde | prixAchat
Quantité en stock | int | stock
Code barre | gtin | codeBarres
Catégorie d'article | pick A;B | famille
Fournisseur principal | company | fournisseur
Poids | weight | poids
TVA à la vente | pick 20;5,5 | tauxTva

## lager_de_auf_fr de produits
Artikelnummer | code A | reference
Bezeichnung | thing | designation
VK netto | amountde | prixVente
EK netto | amountde | prixAchat
Lagerbestand | int | stock
EAN | gtin | codeBarres
Warengruppe | pick A;B | famille
Lieferant | company | fournisseur
Gewicht (kg) | weight | poids
MwSt.-Satz | pick 19;7 | tauxTva

## a3nom_es es empleados
Cód. empleado | seq | codigo
Nombre | first | nombre
Primer apellido | last | apellidos
E-mail | email | correo
Tlf. | phone | telefono
Dpto. | pick Ventas;Compras | departamento
Categoría profesional | job | puesto
F. alta | dmy | fechaAlta
F. baja | dmy | fechaBaja
F. nacimiento | dmy | fechaNacimiento
Salario bruto | amountde | salario

## bamboo_on_es en empleados
Employee # | seq | codigo
First Name | first | nombre
Last Name | last | apellidos
Work Email | email | correo
Work Phone | phone | telefono
Department | pick Sales;IT | departamento
Job Title | job | puesto
Hire Date | date | fechaAlta
Termination Date | date | fechaBaja
Birth Date | date | fechaNacimiento
Pay Rate | amount | salario

## fattureincloud_it it clienti
Codice | seq | codice
Denominazione | company | ragioneSociale
P.IVA | vat | partitaIva
Codice fiscale | code11 | -
Indirizzo sede | street | indirizzo
CAP | zip | cap
Comune | city | citta
Prov. | pick MI;RM | provincia
Tel. | phone | telefono
E-mail | email | email
Termini di pagamento | pick 30;60 | pagamento
PEC | email | -

## exact_nl nl klanten
Code | seq | klantnummer
Naam | company | bedrijf
Contactpersoon | person | contactpersoon
Adresregel 1 | street | straat
Postcode | zip | postcode
Plaats | city | plaats
Land | cc | -
Telefoon | phone | telefoon
E-mail | email | email
BTW-nummer | vat | btwNummer
Bankrekening | iban | iban
Betalingsconditie | pick 14;30 | -

## quickbooks_on_nl en klanten
Customer ID | seq | klantnummer
Company | company | bedrijf
Full name | person | contactpersoon
Billing Street | street | straat
Billing ZIP | zip | postcode
Billing City | city | plaats
Billing Country | country | -
Phone | phone | telefoon
Email | email | email
Tax Resale No | code11 | -

## baselinker_pl pl zamowienia
Nr zamówienia | seq | numer
Data złożenia | ymd2 | data
Imię i nazwisko | person | klient
E-mail | email | email
Status zamówienia | pick Nowe;Wysłane | status
Kwota zamówienia | amountde | wartosc
Waluta | const PLN | waluta
Metoda wysyłki | pick Kurier;Paczkomat | dostawa
Metoda płatności | pick PayU;Przelew | platnosc
Numer przesyłki | code 62 | list
Uwagi klienta | prose | -

## shopify_on_pl en zamowienia
Order | seq | numer
Date | date | data
Customer | person | klient
Email | email | email
Fulfillment status | pick fulfilled;open | status
Total | amount | wartosc
Currency | const PLN | waluta
Delivery method | pick Courier;Pickup | dostawa
Payment method | pick PayU;Card | platnosc
Tracking number | code 62 | list

## santander_pt pt umsaetze
Data Operação | dmy | ? date @d
Data valor | dmy | ? date @d
Descrição | prose | text
Montante( EUR ) | amountde | amount
Saldo Contabilístico( EUR ) | amountde | balance

## rabobank_nl nl umsaetze
IBAN/BBAN | iban | -
Munt | const EUR | currency
BIC | const RABONL2U | -
Volgnr | seq | -
Datum | ymd2 | date
Rentedatum | ymd2 | -
Bedrag | amountde | amount
Saldo na trn | amountde | balance
Tegenrekening IBAN/BBAN | iban | payeeIban
Naam tegenpartij | company | payee
Omschrijving-1 | prose | text

## pko_pl pl umsaetze
Data operacji | ymd2 | ? date @d
Data waluty | ymd2 | ? date @d
Typ transakcji | pick Przelew;Karta | -
Kwota | amountde | amount
Waluta | const PLN | currency
Saldo po transakcji | amountde | balance
Opis transakcji | prose | text

## postbank_de de umsaetze
Buchungstag | dmy | ? date @d
Wert | dmy | ? date @d
Umsatzart | pick Gutschrift;Lastschrift | -
Begünstigter / Auftraggeber | company | payee
Verwendungszweck | prose | text
IBAN / Kontonummer | iban | payeeIban
Betrag | amountde | amount
Währung | const EUR | currency

## chase_en en umsaetze
Details | pick DEBIT;CREDIT | -
Posting Date | date | date
Description | prose | text
Amount | amount | amount
Type | pick ACH;CARD | -
Balance | amount | balance
Check or Slip # | empty | -
## navision_vendors en suppliersEn
No. | seq | supplierNo
Name | company | name
Contact | person | contact
E-Mail | email | email
Phone No. | phone | phone
Address | street | address
Address 2 | empty | -
Post Code | zip | zip
City | city | city
Country/Region Code | cc | country
VAT Registration No. | vat | vat
Payment Terms Code | pick 14;30 | terms
Blocked | pick yes;no | -
Balance (LCY) | amount | -

## fournisseurs_fr fr suppliersEn
Code fournisseur | seq | supplierNo
Raison sociale | company | name
Interlocuteur | person | contact
Mail | email | email
Tél. | phone | phone
Adresse | street | address
CP | zip | zip
Ville | city | city
Pays | cc | country
N° TVA intracommunautaire | vat | vat
IBAN | iban | iban
Délai de paiement (jours) | pick 30;45 | terms
SIRET | code14 | -

## proveedores_es es suppliersEn
Cód. proveedor | seq | supplierNo
Nombre comercial | company | name
Persona de contacto | person | contact
Correo-e | email | email
Teléfono 1 | phone | phone
Domicilio | street | address
C.P. | zip | zip
Localidad | city | city
País | cc | country
NIF-IVA | vat | vat
Cuenta bancaria | iban | iban
Días de pago | pick 30;60 | terms

## fornitori_it it suppliersEn
Codice fornitore | seq | supplierNo
Ragione Sociale | company | name
Referente | person | contact
Email | email | email
Telefono | phone | phone
Indirizzo | street | address
CAP | zip | zip
Città | city | city
Nazione | cc | country
Partita IVA | vat | vat
IBAN | iban | iban
Giorni pagamento | pick 30;60 | terms

## dostawcy_pl pl suppliersEn
Kod dostawcy | seq | supplierNo
Nazwa firmy | company | name
Osoba kontaktowa | person | contact
E-mail | email | email
Nr telefonu | phone | phone
Ulica i nr | street | address
Kod pocztowy | zip | zip
Miejscowość | city | city
Kraj | cc | country
NIP | vat | vat
Nr konta bankowego | iban | iban
Termin płatności (dni) | pick 14;30 | terms

## mls en listings
MLS # | seq | id
Street Address | street | address
List Price | amount | price
Beds | int | bedrooms
Baths | int | bathrooms
Sq Ft | bigint | area
Year Built | year | yearBuilt
Property Type | pick Condo;House | type
Listing Agent | person | agent
List Date | date | listedOn
Status | pick Active;Sold | status
HOA Fee | amount | -

## idealista_es es listings
Referencia | code R | id
Dirección | street | address
Precio | bigint | price
Habitaciones | int | bedrooms
Baños | int | bathrooms
Superficie (m²) | int | area
Año de construcción | year | yearBuilt
Tipo de inmueble | pick Piso;Casa | type
Agente | person | agent
Fecha de publicación | dmy | listedOn
Estado | pick Activo;Vendido | status

## versicherung_de de policies
Versicherungsscheinnr. | code V | policyNumber
Versicherungsnehmer | person | holder
Produkt | pick Haftpflicht;Hausrat | product
Jahresbeitrag | amountde | premium
Beginn | dmy | start
Ablauf | dmy | end
Versicherungssumme | bigint | sumInsured
Makler | person | broker
Geburtsdatum | dmy | birthDate
Schadenanzahl | int | claims
Zahlweise | pick jährlich;monatlich | -

## policies_en en policies
Policy No | code P | policyNumber
Insured Name | person | holder
Plan | pick Home;Auto | product
Premium | amount | premium
Effective Date | date | start
Expiration Date | date | end
Coverage Amount | bigint | sumInsured
Agent | person | broker
DOB | date | birthDate
Claims | int | claims

## wms en movements
Timestamp | datetime | date
Item | code A | sku
Qty | int | quantity
Warehouse Code | pick W1;W2 | warehouse
Bin | pick A1;B2 | location
Transaction Type | pick IN;OUT | type
Document No. | code D | reference
User ID | pick ANNA;PETER | user
Lot No. | code L | batch
Expiration Date | date | expiry
Unit Cost | amount | unitCost

## lager_de de movements
Buchungsdatum | datetime | date
Artikelnr. | code A | sku
Menge | int | quantity
Lager | pick L1;L2 | warehouse
Lagerplatz | pick A1;B2 | location
Bewegungsart | pick Zugang;Abgang | type
Belegnr. | code B | reference
Benutzer | pick ANNA;PETER | user
Charge | code C | batch
MHD | dmy | expiry
Einstandspreis | amountde | unitCost
Einheit | const Stk | -

## google_ads en campaigns
Campaign | thing | name
Campaign type | pick Search;Display | channel
Start date | date | start
End date | date | end
Budget | amount | budget
Cost | amount | spend
Impr. | bigint | impressions
Clicks | int | clicks
Conversions | int | conversions
Conv. value | amount | revenue
CTR | amount | -
Avg. CPC | amount | -

## bibliothek_de de library
ISBN | gtin | isbn
Titel | thing | title
Verfasser | person | author
Verlag | company | publisher
Erscheinungsjahr | year | year
Sprache | pick deutsch;englisch | language
Seitenzahl | int | pages
Signatur | code S | shelf
Entleiher | person | borrower
Rückgabe bis | dmy | due
Ausgeliehen am | dmy | loaned

## bibliotheque_fr fr library
ISBN | gtin | isbn
Titre | thing | title
Auteur | person | author
Éditeur | company | publisher
Année de parution | year | year
Langue | pick français;anglais | language
Nombre de pages | int | pages
Cote | code C | shelf
Emprunteur | person | borrower
Date de retour prévue | dmy | due
Date d'emprunt | dmy | loaned

## vereinsliste_de de menschen
Name, Vorname | person | -
Vorname | first | vorname
Familienname | last | nachname
Geb.-Dat. | dmy | geburtsdatum
eMail privat | email | ? email @e
eMail dienstlich | email | ? email @e
Tel. priv. | phone | telefon
Handy | mobile | handy
Str./Hausnr. | street | strasse
PLZ | zip | plz
Wohnort | city | ort
IBAN-Nr. | iban | iban
Mitglied seit | dmy | eintritt
Bemerkungen | prose | bemerkung

## outlook_it it menschen
Nome | first | vorname
Cognome | last | nachname
Compleanno | dmy | geburtsdatum
Indirizzo posta elettronica | email | email
Telefono abitazione | phone | telefon
Cellulare | mobile | handy
Via (abitazione) | street | strasse
CAP (abitazione) | zip | plz
Città (abitazione) | city | ort
Note | prose | bemerkung

## outlook_nl nl menschen
Voornaam | first | vorname
Achternaam | last | nachname
Verjaardag | dmy | geburtsdatum
E-mailadres | email | email
Telefoon thuis | phone | telefon
Mobiele telefoon | mobile | handy
Straat (huis) | street | strasse
Postcode (huis) | zip | plz
Plaats (huis) | city | ort
Notities | prose | bemerkung

## zaehler_de de usage
Zählernummer | seq | meter
Zählerstand | bigint | reading
Ablesedatum | dmy | readOn
Verbrauch | int | consumption
Einheit | const kWh | unit
Kunde | person | customer
Lieferstelle | street | address
Tarif | pick Basis;Öko | tariff

## meter_en en usage
Meter ID | seq | meter
Reading | bigint | reading
Reading Date | date | readOn
Usage | int | consumption
UOM | const kWh | unit
Customer Name | person | customer
Service Address | street | address
Rate Plan | pick Basic;Green | tariff
"""


@dataclass(frozen=True)
class Case:
    name: str
    language: str
    catalog: str
    columns: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    truth: list[str] = field(default_factory=list)


def cases():
    all_cases = []
    for line in (CASES + trades.CASES).strip().splitlines():
        if line.startswith("## "):
            all_cases.append(Case(*line[3:].split()))
        elif line.strip():
            header, values, truth = (part.strip() for part in line.split("|"))
            all_cases[-1].columns.append(header)
            all_cases[-1].values.append(values)
            all_cases[-1].truth.append(truth)
    return all_cases
