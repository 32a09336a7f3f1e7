"""Exports of trades that no earlier export came from; read by ``exports``, written the same way."""

CATALOGS = {
    "grants": """
        grantNumber string Grant number!
        applicant string Applicant!
        programme string Programme
        requested float Requested amount
        approved float Approved amount
        decisionDate date Decision date
        reviewer string Reviewer
        outcome string Outcome
    """,
    "wards": """
        mrn string Medical record number!
        firstName string First name!
        lastName string Last name!
        birthDate date Date of birth!
        sex string Sex
        bloodType string Blood type
        allergies string Allergies
        physician string Attending physician
        ward string Ward
        admitted date Admission date
        discharged date Discharge date
        diagnosis string Diagnosis
        insurer string Insurer
    """,
    "crops": """
        field string Field!
        crop string Crop
        variety string Variety
        area float Area (ha)
        sown date Sowing date
        harvested date Harvest date
        yield float Yield (t)
        fertilizer string Fertilizer
    """,
    "matches": """
        competition string Competition
        round string Round
        kickoff datetime Kick-off!
        home string Home team!
        away string Away team!
        homeScore int Home goals
        awayScore int Away goals
        venue string Venue
        referee string Referee
        attendance int Attendance
    """,
    "freight": """
        tracking string Tracking number!
        carrier string Carrier
        service string Service level
        shipped date Ship date
        delivered date Delivered on
        recipient string Recipient
        destination string Destination
        weight float Weight
        parcels int Number of parcels
        cost float Freight cost
        incoterm string Incoterm
    """,
    "grades": """
        studentId string Student ID!
        student string Student
        course string Course!
        semester string Semester
        credits float Credits
        grade string Grade
        lecturer string Lecturer
        examDate date Exam date
        attempts int Attempt
    """,
    "quality": """
        report string Report number!
        part string Part number!
        lot string Lot
        defect string Defect
        severity string Severity
        inspector string Inspector
        inspected date Inspection date
        scrapped int Scrap quantity
        rootCause string Root cause
        action string Corrective action
    """,
    "cases": """
        fileNo string File number!
        client string Client!
        opposing string Opposing party
        court string Court
        judge string Judge
        attorney string Attorney
        hearing datetime Hearing date
        claimValue float Amount in dispute
        practiceArea string Practice area
        status string Status
    """,
    "rentals": """
        object string Property!
        unit string Unit
        tenant string Tenant!
        rooms float Rooms
        livingArea float Living area
        rent float Base rent
        serviceCharges float Service charges
        deposit float Deposit
        moveIn date Move-in date
        moveOut date Move-out date
        landlord string Landlord
    """,
    "reservations": """
        booking string Booking number!
        guest string Guest!
        arrival date Arrival!
        departure date Departure!
        roomType string Room type
        adults int Adults
        children int Children
        board string Board
        rate float Nightly rate
        channel string Channel
        requests string Special requests
    """,
    "loans": """
        loanNo string Loan number!
        borrower string Borrower!
        principal float Principal!
        interestRate float Interest rate
        installment float Monthly instalment
        disbursed date Disbursement date
        maturity date Maturity date
        collateral string Collateral
        outstanding float Outstanding balance
    """,
    "waste": """
        site string Collection site!
        wasteType string Waste type!
        bin string Container
        collected date Collection date!
        netWeight float Net weight
        driver string Driver
        vehicle string Vehicle
        disposal string Disposal method
    """,
    "courses": """
        course string Course title!
        code string Course code
        instructor string Instructor
        starts date Start date!
        ends date End date
        capacity int Maximum participants
        enrolled int Participants
        fee float Course fee
        location string Location
        level string Level
    """,
    "maintenance": """
        order string Work order!
        machine string Machine!
        fault string Fault description
        reported datetime Reported at
        technician string Technician
        downtime float Downtime (h)
        parts string Spare parts used
        cost float Repair cost
        completed date Completed on
        priority string Priority
    """,
    "artworks": """
        inventory string Inventory number!
        title string Title!
        artist string Artist
        year int Year
        technique string Technique
        dimensions string Dimensions
        acquired date Acquisition date
        insuredValue float Insurance value
        location string Location
        provenance string Provenance
    """,
    "payslips": """
        employeeNo string Employee number!
        employee string Employee
        period string Pay period!
        gross float Gross pay!
        net float Net pay
        incomeTax float Income tax
        overtime float Overtime hours
        bonus float Bonus
        payDate date Pay date
        bankAccount iban Bank account
    """,
    "recalls": """
        claim string Claim number!
        policy string Policy number!
        insured string Policyholder
        lossDate date Date of loss!
        cause string Cause of loss
        reserve float Reserve
        paid float Amount paid
        adjuster string Adjuster
        status string Status
    """,
    "routes": """
        trip string Trip number!
        driver string Driver
        plate string Licence plate
        departed datetime Departure
        arrived datetime Arrival
        from string From
        to string To
        distance float Distance (km)
        purpose string Purpose
        fuel float Fuel used (l)
    """,
}

CASES = """
## grants_en en grants
Award No. | seq | grantNumber
Lead Organisation | company | applicant
Funding Scheme | pick Culture;Youth;Sport | programme
Amount Sought | amount | requested
Amount Awarded | amount | approved
Date of Decision | date | decisionDate
Assessor | person | reviewer
Result | pick Granted;Rejected | outcome
Panel Comments | prose | -

## krankenhaus_de de wards
Patientennummer | seq | mrn
Vorname | first | firstName
Nachname | last | lastName
Geb.-Datum | dmy | birthDate
Geschlecht | pick m;w | sex
Blutgruppe | pick A+;0-;B+ | bloodType
Allergien | word | allergies
Behandelnder Arzt | person | physician
Station | pick 3A;4B;Intensiv | ward
Aufnahmedatum | dmy | admitted
Entlassungsdatum | dmy | discharged
Hauptdiagnose | prose | diagnosis
Krankenkasse | pick AOK;TK;Barmer | insurer
Bettennummer | int | -

## parcelles_fr fr crops
Parcelle | code P | field
Culture | pick blé;maïs;orge | crop
Variété | word | variety
Surface (ha) | weight | area
Date de semis | dmy | sown
Date de récolte | dmy | harvested
Rendement (t) | weight | yield
Engrais | pick N;P;K | fertilizer
Commentaire | prose | -

## partidos_es es matches
Competición | pick Liga;Copa | competition
Jornada | int | round
Fecha y hora | datetime | kickoff
Equipo local | pick Betis;Getafe | home
Equipo visitante | pick Sevilla;Osasuna | away
Goles local | int | homeScore
Goles visitante | int | awayScore
Estadio | pick Norte;Sur | venue
Árbitro | person | referee
Espectadores | bigint | attendance

## spedizioni_it it freight
Numero di tracciamento | hex | tracking
Corriere | pick BRT;GLS;SDA | carrier
Servizio | pick Standard;Express | service
Data di spedizione | dmy | shipped
Data consegna | dmy | delivered
Destinatario | person | recipient
Destinazione | city | destination
Peso (kg) | weight | weight
Numero colli | int | parcels
Costo trasporto | amount | cost
Resa | pick EXW;DAP | incoterm

## cijfers_nl nl grades
Studentnummer | seq | studentId
Naam student | person | student
Vak | pick Wiskunde;Biologie | course
Semester | pick 1;2 | semester
Studiepunten | int | credits
Cijfer | hours | grade
Docent | person | lecturer
Tentamendatum | dmy | examDate
Poging | int | attempts
Lokaal | code L | -

## jakosc_pl pl quality
Numer raportu | seq | report
Numer części | code C | part
Partia | code P | lot
Wada | word | defect
Waga błędu | pick krytyczna;drobna | severity
Kontroler | person | inspector
Data kontroli | dmy | inspected
Ilość braków | int | scrapped
Przyczyna źródłowa | prose | rootCause
Działanie korygujące | prose | action

## processos_pt pt cases
Nº do processo | seq | fileNo
Cliente | company | client
Parte contrária | company | opposing
Tribunal | pick Porto;Lisboa | court
Juiz | person | judge
Advogado | person | attorney
Data da audiência | datetime | hearing
Valor da causa | amount | claimValue
Área jurídica | pick Civil;Penal | practiceArea
Situação | pick aberto;fechado | status

## mietverwaltung_de de rentals
Liegenschaft | street | object
Wohnungsnr. | int | unit
Mieter | person | tenant
Zimmeranzahl | int | rooms
Wohnfläche m² | weight | livingArea
Kaltmiete | amount | rent
Nebenkosten | amount | serviceCharges
Kaution | amount | deposit
Einzug | dmy | moveIn
Auszug | dmy | moveOut
Vermieter | company | landlord
Hausmeister | person | -

## pms_en en reservations
Confirmation # | seq | booking
Guest Name | person | guest
Check-in | date | arrival
Check-out | date | departure
Room Category | pick Double;Suite | roomType
No. of Adults | int | adults
No. of Kids | int | children
Meal Plan | pick HB;FB;BB | board
Rate per Night | amount | rate
Booked Via | pick Web;Phone | channel
Guest Remarks | prose | requests
Housekeeping Status | pick clean;dirty | -

## kredyty_pl pl loans
Nr umowy kredytu | seq | loanNo
Kredytobiorca | person | borrower
Kwota kredytu | amount | principal
Oprocentowanie | weight | interestRate
Rata miesięczna | amount | installment
Data wypłaty | dmy | disbursed
Termin spłaty | dmy | maturity
Zabezpieczenie | pick hipoteka;weksel | collateral
Pozostało do spłaty | amount | outstanding

## entsorgung_de de waste
Abholstelle | street | site
Abfallart | pick Restmüll;Papier;Glas | wasteType
Behälter | pick 120 l;240 l | bin
Abholdatum | dmy | collected
Nettogewicht | weight | netWeight
Fahrer | person | driver
Fahrzeug | plate | vehicle
Entsorgungsweg | pick Verbrennung;Recycling | disposal
Bemerkung | prose | -

## cursos_es es courses
Título del curso | thing | course
Código | code K | code
Profesor | person | instructor
Fecha inicio | dmy | starts
Fecha fin | dmy | ends
Plazas máximas | int | capacity
Inscritos | int | enrolled
Matrícula (€) | amount | fee
Aula | code A | location
Nivel | pick A1;B2 | level

## manutenzione_it it maintenance
Ordine di lavoro | seq | order
Macchina | code M | machine
Descrizione guasto | prose | fault
Segnalato il | datetime | reported
Tecnico | person | technician
Fermo macchina (h) | hours | downtime
Ricambi utilizzati | thing | parts
Costo riparazione | amount | cost
Completato il | dmy | completed
Priorità | pick alta;bassa | priority

## oeuvres_fr fr artworks
N° d'inventaire | code I | inventory
Titre de l'œuvre | thing | title
Artiste | person | artist
Année | year | year
Technique | pick huile;encre | technique
Dimensions | word | dimensions
Date d'acquisition | dmy | acquired
Valeur d'assurance | amount | insuredValue
Emplacement | code S | location
Provenance | prose | provenance

## loonstroken_nl nl payslips
Personeelsnummer | seq | employeeNo
Naam werknemer | person | employee
Periode | pick 2024-01;2024-02 | period
Brutoloon | amount | gross
Nettoloon | amount | net
Loonheffing | amount | incomeTax
Overuren | hours | overtime
Bonus | amount | bonus
Betaaldatum | dmy | payDate
Rekeningnummer | iban | bankAccount

## sinistros_pt pt recalls
Nº do sinistro | seq | claim
Nº da apólice | code A | policy
Segurado | person | insured
Data da ocorrência | dmy | lossDate
Causa do sinistro | pick fogo;água | cause
Provisão | amount | reserve
Valor pago | amount | paid
Perito | person | adjuster
Estado | pick aberto;fechado | status

## triplog_en en routes
Journey ID | seq | trip
Chauffeur | person | driver
Reg. No. | plate | plate
Left At | datetime | departed
Arrived At | datetime | arrived
Origin | city | from
Destination | city | to
Kilometres | weight | distance
Reason for Trip | pick client;site | purpose
Litres Used | weight | fuel
Tolls | amount | -
"""
