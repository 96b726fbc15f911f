// What payers read in Spanish, as all of Latin America does. Brazil's own words stay and are explained.

// biome-ignore-all lint/style/noExcessiveLinesPerFile: a language is read as a whole
import { MAX_NAME_LENGTH } from '../../payer-rules.js'
import type { CheckoutTexts } from './pt.ts'

const BELOW = ', con los datos de contacto de abajo'

export const es: CheckoutTexts = {
  locale: 'es',
  language: 'Español',
  layout: {
    lang: 'es',
    ogLocale: 'es_LA',
    testMode: 'MODO DE PRUEBA',
    noCharge: 'no se hace ningún cobro real',
    questions: '¿Tienes dudas sobre este cobro?',
    processedBy: 'Pago procesado con Vintém',
    report: 'Denunciar este enlace',
    languages: 'Idioma',
    requestCode: 'Código del error:',
  },
  failures: {
    notFound: 'No hay nada en esta dirección.',
    rateLimited: 'Demasiadas solicitudes. Vuelve a intentarlo en unos instantes.',
    tooManyAttempts: 'Demasiados intentos en poco tiempo. Espera un minuto y vuelve a intentarlo.',
    invalidEncoding: 'No pudimos leer lo que se envió. Vuelve a intentarlo.',
    invalidRequest: 'No pudimos leer lo que se envió. Vuelve a intentarlo.',
    invalidJson: 'No pudimos leer lo que se envió. Vuelve a intentarlo.',
    payloadTooLarge: 'Lo que se envió es demasiado grande.',
    unsupportedMediaType: 'No pudimos leer lo que se envió. Vuelve a intentarlo.',
    internal:
      'Algo salió mal de nuestro lado. Vuelve a intentarlo; si el problema continúa, indícanos el código del error.',
    unavailable: 'El servicio no está disponible por el momento.',
    crossSite: 'Este envío llegó desde otro sitio y fue rechazado.',
    cardDataRefused:
      'Aquí no se aceptan datos de tarjetas. Ingrésalos solo en los campos de la página de pago.',
  },
  errorPages: {
    404: 'Página no encontrada',
    409: 'Algo cambió',
    429: 'Demasiados intentos',
    500: 'Algo salió mal',
    503: 'Volvemos enseguida',
    other: 'No fue posible continuar',
  },
  methods: { pix: 'Pix', credit_card: 'Tarjeta de crédito' },
  declines: {
    generic: 'Tu pago no fue autorizado. Comunícate con tu banco o paga con Pix.',
    insufficient_funds: 'Saldo o límite insuficiente. Prueba con otra tarjeta o paga con Pix.',
    expired_card: 'Tu tarjeta está vencida o la fecha de vencimiento es incorrecta.',
    invalid_card: 'El número de la tarjeta no es válido. Revisa los datos o usa otra tarjeta.',
    invalid_cvv: 'El código de seguridad es incorrecto.',
    suspected_fraud: 'Tu pago no fue autorizado por seguridad. Comunícate con tu banco.',
    lost_or_stolen: 'Tu pago no fue autorizado. Comunícate con tu banco o paga con Pix.',
    not_permitted: 'Tu tarjeta no permite esta compra. Usa otra tarjeta o paga con Pix.',
    invalid_installments: 'Tu tarjeta no acepta esa cantidad de cuotas. Elige otra.',
    attempts_exceeded: 'Demasiados intentos con esta tarjeta. Usa otra tarjeta o paga con Pix.',
    threeds_failed: 'No pudimos verificar tu identidad.',
    provider_error: 'Servicio no disponible. Vuelve a intentarlo en unos instantes.',
  },
  paidAt: (day, time) => `${day} a las ${time} (hora de Brasilia)`,

  form: {
    tooMany: { one: 'Revisa 1 campo', many: 'Revisa $ campos' },
    suggestion: { before: '¿Quisiste decir ', after: '?' },
    letters: 'CNPJ con letras',
    digits: 'Solo números',
    error: 'Error: ',
    name: 'Ingresa tu nombre completo.',
    longName: `El nombre puede tener hasta ${MAX_NAME_LENGTH} caracteres. Abrévialo.`,
    taxId: 'Ingresa un CPF o CNPJ válido.',
    foreignDocument:
      'Ingresa el número de tu pasaporte o del documento de tu país: de 5 a 20 letras y números.',
    phone:
      'Ingresa un teléfono con código de área, como (11) 98765-4321. El de otro país empieza con +.',
    email: 'Ingresa un correo electrónico válido, como nombre@ejemplo.com.',
    unreadableCard: 'No pudimos leer la tarjeta. Vuelve a intentarlo o paga de otra forma.',
    offline: 'Sin conexión: no se envió nada. Vuelve a intentarlo cuando tengas internet.',
  },
  card: {
    framesLocale: 'es-MX',
    number: 'Revisa el número de la tarjeta.',
    holder: 'Ingresa el nombre como aparece en la tarjeta.',
    expiry: 'Ingresa el vencimiento como aparece en la tarjeta, por ejemplo 09 / 30.',
    expired: 'Tu tarjeta está vencida. Usa otra tarjeta.',
    code: 'Ingresa el código de seguridad de la tarjeta.',
    codeOfThree: 'Ingresa el código de seguridad, de 3 dígitos.',
    codeOfFour: 'Ingresa el código de seguridad, de 4 dígitos.',
    testCard: 'En el modo de prueba, usa una tarjeta de prueba.',
    codeBehind: '3 dígitos al reverso',
    codeInFront: '4 dígitos al frente',
    credit: 'Esta tarjeta no se acepta. Usa una tarjeta de crédito.',
    closed: 'Los campos de la tarjeta no se cargaron. Inténtalo de nuevo en un momento.',
    labels: {
      number: 'Número de la tarjeta',
      expiry: 'Vencimiento',
      code: 'Código de seguridad',
      expiryFormat: 'MM / AA',
    },
  },
  address: {
    legend: 'Dirección de facturación de la tarjeta',
    why: 'La verifica el banco de la tarjeta. No guardamos esta dirección.',
    zipCode: {
      label: 'Código postal (CEP)',
      problem: 'Escribe el código postal (CEP), de 8 números.',
    },
    street: { label: 'Calle', problem: 'Escribe la calle.' },
    streetNumber: { label: 'Número', problem: 'Escribe el número, o s/n si no hay.' },
    city: { label: 'Ciudad', problem: 'Escribe la ciudad.' },
    state: { label: 'Estado', problem: 'Escribe el estado de Brasil, como SP o São Paulo.' },
  },
  answers: {
    required: (label) => `Completa el campo "${label}".`,
    text: (label) => `Usa hasta 200 caracteres en el campo "${label}".`,
    number: (label) =>
      `Ingresa un número en el campo "${label}", como 1.234,56 (con coma decimal).`,
    choice: (label) => `Elige una de las opciones del campo "${label}".`,
    date: (label) => `Ingresa una fecha en el campo "${label}", como 31/12/2026.`,
  },
  problems: {
    cardNumber:
      'Aquí no se aceptan datos de tarjetas. Quita de este campo el número que parece de una tarjeta; si es otro, envíalo directamente a la tienda.',
    confirmationOpen:
      'Tienes un pago que espera la confirmación de tu banco. Si pagas de otra forma, se cancelará.',
    confirmationHolds: (time) =>
      `Este pago no se hizo: tienes otro, que espera la confirmación de tu banco hasta las ${time} (hora de Brasilia). Confirma ese pago o vuelve a intentarlo después de esa hora.`,
    resumeConfirmation: 'Continuar con la confirmación',
    method: 'Elige cómo pagar.',
    card: 'Revisa los datos de la tarjeta.',
    installments: 'Elige una de las opciones de cuotas.',
    documentRefused: 'No pudimos confirmar el documento. Revisa el CPF o CNPJ que ingresaste.',
    tooManyDocuments:
      'Demasiados intentos en poco tiempo. Espera diez minutos y vuelve a intentarlo.',
    amountChanged: 'El precio de este enlace cambió. Revisa el nuevo precio y confirma.',
    installmentsChanged: 'Las cuotas de este enlace cambiaron. Revísalas y confirma.',
    formExpired: 'Este formulario ya no es válido. Revisa los datos y envíalo de nuevo.',
    soldOut: 'Otro pago de este enlace está en curso. Espera unos minutos y vuelve a intentarlo.',
    manyPix:
      'Hay muchos códigos Pix abiertos en este enlace. No se cobró nada: vuelve a intentarlo en un minuto.',
    methodUnavailable: 'Esta forma de pago no está disponible ahora. Prueba con otra.',
    cardUnavailable:
      'Las tarjetas no están disponibles ahora en este enlace. Vuelve a intentarlo más tarde.',
    pixUnavailable: 'Pix no está disponible ahora en este enlace. Paga con tarjeta.',
    noQuotes: 'No pudimos consultar las cuotas de esta tarjeta ahora.',
  },
  cards: {
    blocked: 'Esta tarjeta no se puede volver a usar. Usa otra tarjeta o paga con Pix.',
    needsScript:
      'Para pagar con tarjeta, vuelve a cargar la página con JavaScript activado, o elige Pix.',
    paused: 'Las tarjetas no están disponibles por ahora en este enlace. Paga con Pix.',
    tooMany: 'Demasiados intentos con tarjeta en poco tiempo. Paga con Pix o espera 15 minutos.',
    overCapacity:
      'Hay muchos pagos con tarjeta en curso. Paga con Pix o vuelve a intentarlo en un minuto.',
  },
  cardsOnly: {
    blocked: 'Esta tarjeta no se puede volver a usar. Usa otra tarjeta.',
    needsScript: 'Para pagar con tarjeta, vuelve a cargar la página con JavaScript activado.',
    declines: {
      generic: 'Tu pago no fue autorizado. Comunícate con tu banco.',
      insufficient_funds: 'Saldo o límite insuficiente. Prueba con otra tarjeta.',
      lost_or_stolen: 'Tu pago no fue autorizado. Comunícate con tu banco.',
      not_permitted: 'Tu tarjeta no permite esta compra. Usa otra tarjeta.',
      attempts_exceeded: 'Demasiados intentos con esta tarjeta. Usa otra tarjeta.',
    },
    paused:
      'Las tarjetas no están disponibles por ahora en este enlace. Vuelve a intentarlo más tarde.',
    tooMany: 'Demasiados intentos con tarjeta en poco tiempo. Vuelve a intentarlo en 15 minutos.',
    overCapacity: 'Hay muchos pagos con tarjeta en curso. Vuelve a intentarlo en un minuto.',
  },
  declineSteps: {
    correctCode: {
      action: 'Corregir el código',
      advice: (card) =>
        `No se te cobró nada. Ingresa la tarjeta ${card} de nuevo, con el código correcto. Tus otros datos siguen completos.`,
    },
    correctCard: {
      action: 'Corregir la tarjeta',
      advice: (card) =>
        `No se te cobró nada. Revisa el número y el vencimiento de la tarjeta ${card}. Tus otros datos siguen completos.`,
    },
    changeInstallments: {
      action: 'Cambiar las cuotas',
      advice: (card) => `No se cobró nada a la tarjeta ${card}.`,
    },
    retry: {
      action: 'Volver a intentarlo',
      advice: (card) =>
        `No se cobró nada a la tarjeta ${card}. Puedes volver a intentarlo, con esta o con otra tarjeta.`,
    },
    otherCard: {
      action: 'Usar otra tarjeta',
      advice: (card) => `No se cobró nada a la tarjeta ${card}.`,
    },
  },
  someCard: 'que ingresaste',
  rateNote: (rate, total, amount) =>
    `Interés de ${rate} al mes. Total en cuotas ${total}; en un solo pago ${amount}.`,
  part: (n, part) => `${n} × ${part}`,
  firstPart: (first) => `la primera de ${first}`,
  terms: {
    atSight: 'en un solo pago',
    interestFree: 'sin interés',
    rate: (rate) => `${rate} al mes`,
  },
  discount: (share) => `${share} de descuento`,
  pricesWithPix: (price, pix, discount) =>
    `${price ? `${price}, o ` : ''}${pix} con Pix (${discount})`,
  cardOffer: {
    atSight: 'En un solo pago',
    upTo: (n) => `Hasta ${n} cuotas`,
    upToParts: (n, part) => `Hasta ${n} cuotas de ${part}`,
    upToFree: (n, part) => `Hasta ${n} cuotas de ${part} sin interés`,
  },
  payIn: (total, n) => (n === 1 ? `Pagar ${total}` : `Pagar ${total} en ${n} cuotas`),
  preview: {
    title: (company) => `Pago a ${company}`,
    pix: 'Pix',
    card: (n) => (n === 1 ? 'tarjeta' : `tarjeta en hasta ${n} cuotas`),
    or: ' o ',
  },
  link: {
    total: 'total',
    showMore: 'Ver más',
    showLess: 'Ver menos',
    ifCard: '(si pagas con tarjeta)',
    title: (title, company) => `Pagar ${title} · ${company}`,
    amount: 'Monto: ',
    pay: 'Pagar',
    payByPix: (amount) => `Pagar ${amount} con Pix`,
    busy: 'Procesando',
    howToPay: '¿Cómo quieres pagar?',
    pix: 'Pix',
    aboutPix: 'Transferencia inmediata desde una cuenta bancaria de Brasil',
    creditCard: 'Tarjeta de crédito',
    onlyPix: 'Paga con Pix, una transferencia inmediata desde una cuenta bancaria de Brasil',
    codeFollows: 'Verás el código en el siguiente paso.',
    onlyCard: 'Paga con tarjeta de crédito',
    documentNeeded:
      'Para pagar necesitas un CPF o CNPJ (identificación fiscal de Brasil), incluso con una tarjeta de otro país.',
    foreignDocumentAccepted:
      '¿No tienes CPF (identificación fiscal de Brasil)? Paga con tarjeta de crédito y marca «No tengo CPF».',
    payer: 'Tus datos',
    chargeFor: 'Cobro para',
    name: 'Nombre completo',
    taxId: 'CPF o CNPJ (identificación fiscal de Brasil)',
    foreignDocument: 'Pasaporte o documento de tu país',
    noTaxId: 'No tengo CPF',
    otherDocument: 'Usar otro documento',
    holderDocument: 'CPF o CNPJ del titular',
    confirmDocument: 'Ingresa tu documento para confirmar que este cobro es para ti.',
    email: 'Correo electrónico',
    emailForCards: 'Obligatorio para pagar con tarjeta.',
    phone: 'Celular, con código de área',
    more: 'Más información',
    optional: '(opcional)',
    noAnswer: 'Sin respuesta',
    choose: 'Elige',
    cardData: 'Datos de la tarjeta',
    cardNeedsScript: 'Para ingresar la tarjeta, el navegador necesita JavaScript.',
    pixNeedsNone: 'Pix funciona sin él: elige Pix arriba.',
    turnScriptOn: 'Activa JavaScript y abre este enlace de nuevo.',
    holder: 'Nombre que aparece en la tarjeta',
    codeBehind: 'Al reverso de la tarjeta',
    installments: 'Cuotas',
    changeInstallments: 'Ver otras opciones',
    quotesFollow: 'Verás las cuotas cuando ingreses el número de la tarjeta.',
    framesFailed: 'No pudimos cargar los campos de la tarjeta.',
    framesFailedOrPix:
      'No pudimos cargar los campos de la tarjeta. Inténtalo de nuevo o paga con Pix.',
    cardSecured: (provider, company) =>
      `Los datos de la tarjeta van directo a ${provider}. Ni ${company} ni este sitio tienen acceso a ellos.`,
    continueAt: (provider) => `Continuar en el sitio seguro de ${provider}`,
    cardElsewhere: (provider, company) =>
      `La tarjeta se ingresa en la página de ${provider}, que sigue a continuación. Ni ${company} ni este sitio ven sus datos.`,
    testCards: 'Tarjetas de prueba',
    testCardsHint: 'Cualquier vencimiento futuro, cualquier código y cualquier nombre.',
    testCardOutcomes: {
      approved: 'aprobada',
      challenge: 'pide confirmación del banco',
      challengeDeclined: 'pide confirmación y se rechaza',
      challengeFails: 'falla la confirmación',
      declined: 'rechazada por el banco',
      funds: 'sin límite',
      expired: 'vencida',
      code: 'código incorrecto',
      fraud: 'sospecha de fraude',
      slow: 'aprobada después de 10 s',
      down: 'proveedor fuera de servicio',
    },
  },
  unpayable: {
    contactSubject: (title) => `Pago de ${title}`,
    contactText: (title, url) =>
      `¡Hola! Quiero pagar "${title}", pero el enlace no está disponible: ${url}`,
    write: 'Enviar un correo a la tienda',
    again: 'Volver a intentarlo',
    headings: {
      unknown: 'Enlace no encontrado',
      inactive: 'Este enlace no está disponible',
      expired: 'Este enlace venció',
      completed: 'Este enlace ya se pagó',
      full: 'Este enlace ya no acepta pagos',
      cards_paused: 'Tarjetas no disponibles por ahora',
      method_unavailable: 'Todavía no se puede pagar este enlace',
    },
    unknown:
      'Revisa que hayas copiado toda la dirección, con las mismas mayúsculas y minúsculas, o pide un nuevo enlace a quien te la envió.',
    completed:
      'Aquí no queda nada por pagar. Si ya pagaste, tu comprobante está en la página de tu pago.',
    full: 'Ya alcanzó su límite de pagos. Si ya pagaste, tu comprobante está en la página de tu pago.',
    cardsPaused:
      'Este enlace solo acepta tarjetas, y los pagos con tarjeta están suspendidos por seguridad. No se te cobró nada.',
    tryLater: (company, hasContacts) =>
      `Vuelve a intentarlo más tarde o acuerda otra forma de pago con ${company}${hasContacts ? BELOW : ''}.`,
    methodsUnavailable:
      'Las formas de pago de este enlace no están disponibles ahora. No se te cobró nada.',
    arrange: (company, hasContacts) =>
      `Acuerda otra forma de pago con ${company}${hasContacts ? BELOW : ''}.`,
    askForNew: (company, hasContacts) =>
      `Para pagar, pide un nuevo enlace a ${company}${hasContacts ? BELOW : ''}.`,
  },
  receiptRequest: {
    open: 'Recibir mi comprobante',
    heading: 'Recibir mi comprobante',
    why: (title) =>
      `¿Ya pagaste ${title}? Ingresa el correo o el CPF o CNPJ que usaste. Enviamos el comprobante al correo indicado en el pago.`,
    payer: 'Correo, CPF o CNPJ',
    wrong: 'Ingresa un correo, CPF o CNPJ válido.',
    send: 'Enviar comprobante',
    sent: 'Revisa tu correo',
    onItsWay:
      'Si encontramos un pago con esos datos, el comprobante llegará en unos minutos al correo indicado en el pago. Revisa también el spam. Si no llega, comunícate con la tienda.',
  },
  mailStop: {
    heading: '¿No recibir más correos?',
    what: (title, company) =>
      `${company} no enviará más correos sobre ${title} a tu dirección. El enlace sigue vigente y todavía puedes pagar con él.`,
    stop: 'No recibir más',
    stopped: 'Listo',
    done: (title) => `Ya no recibirás correos sobre ${title}.`,
  },
  report: {
    title: 'Denunciar enlace',
    heading: 'Denunciar este enlace',
    whatIsWrong: (title, company) =>
      `Cuéntanos qué está mal con ${title}, de ${company}. La denuncia es anónima.`,
    reason: 'Motivo',
    reasons: {
      fraud: 'Es una estafa o se hace pasar por otra empresa',
      unrecognized: 'No reconozco este cobro',
      not_delivered: 'Pagué y no recibí lo que compré',
      other: 'Otro motivo',
    },
    reasonMissing: 'Elige un motivo.',
    cardNumber:
      'Aquí no se aceptan datos de tarjetas. Lo que parecía el número de una tarjeta se quitó del texto: revísalo y envíalo de nuevo.',
    detailsWrong: 'Usa hasta 1.000 caracteres en los detalles.',
    details: 'Detalles',
    detailsHint: 'No escribas contraseñas ni datos de tarjetas.',
    send: 'Enviar denuncia',
    received: 'Recibimos tu denuncia',
    thanks:
      'Gracias por avisar. Si ya pagaste y crees que fue una estafa, comunícate ahora con tu banco: un Pix se puede disputar mediante el Mecanismo Especial de Devolución (MED) de Brasil.',
  },
  payment: {
    help: (title, total, url) => `¡Hola! Necesito ayuda con este pago: ${title}, ${total}. ${url}`,
    openChat: 'Hablar con la tienda por WhatsApp',
    closed: (company) =>
      `Este enlace ya no acepta pagos. Si todavía necesitas pagar, comunícate con ${company}.`,
    payByPix: (amount) => `Pagar con Pix: ${amount}`,
    unknown: {
      heading: 'Pago no encontrado',
      why: 'No hay ningún pago en esta dirección. Revisa que hayas copiado toda la dirección.',
      openLink: 'Abrir el enlace de pago',
      askForNew: 'Para pagar, pide un nuevo enlace a quien te lo envió.',
    },
    back: 'Volver al pago',
    offline: 'Sin conexión. En cuanto vuelva, verificamos el pago.',
    titles: {
      pix: 'Paga con Pix',
      processing: 'Procesando',
      challenge: 'Confirma la compra',
      redirect: 'Continúa para pagar',
      declined: 'Pago rechazado',
      expired: 'Código vencido',
      canceled: 'Pago cancelado',
      approved: 'Pago aprobado',
      held: 'Pago en revisión',
      returned: 'Pago devuelto',
    },
    total: 'Total: ',
    until: (time) => `antes de las ${time}`,
    untilDay: (day, time) => `antes del ${day} a las ${time}`,
    zone: '(hora de Brasilia)',
    otherWay: 'Elegir otra forma de pago',
    startOver: 'Empezar de nuevo',
    nothingCharged: 'No se te cobró nada.',
  },
  pix: {
    copyFailed: { before: 'Mantén presionado para copiar', after: ', o usa Ctrl+C' },
    confirmPayee: {
      before: 'Revisa el monto y el nombre de quien lo recibe, ',
      after: ', y confirma.',
    },
    heading: 'Paga con Pix',
    pay: 'Paga',
    code: 'Código Pix para copiar y pegar',
    copy: 'Copiar código Pix',
    qr: 'Código QR de Pix',
    steps: {
      open: 'Abre la aplicación de tu banco de Brasil y entra en Pix.',
      paste: 'Elige “Pix copia e cola” (copiar y pegar) y pega el código, o escanea el código QR.',
      confirm: 'Revisa el nombre y el monto y confirma.',
    },
    verify: 'Ya pagué: verificar',
    waiting: 'Esperando el pago. La confirmación aparecerá aquí en segundos.',
    mayClose:
      'Puedes cerrar esta página: el pago se confirma igual y el comprobante queda en esta dirección.',
    testOnly: 'Modo de prueba: este código no se puede pagar en un banco.',
    simulate: 'Simular el pago',
    script: {
      copied: 'Copiado',
      copiedAloud: 'Código Pix copiado',
      over: 'vencido',
      threeMinutes: 'Quedan 3 minutos para pagar.',
      oneMinute: 'Queda 1 minuto para pagar.',
      halfMinute: 'Quedan 30 segundos para pagar.',
    },
  },
  processing: {
    pix: 'Estamos generando tu código Pix',
    pixSlow:
      'El banco suele responder en pocos segundos. Si tarda más, seguimos intentando: el código aparecerá aquí.',
    card: 'Estamos procesando tu pago',
    cardSlow: 'Suele tardar pocos segundos. No hace falta pagar de nuevo.',
    mayClose:
      'Esta página se actualiza sola. Si la cierras, el resultado queda en esta misma dirección.',
  },
  challenge: {
    cannot: 'No puedo confirmar: pagar de otra forma',
    byPix: (amount) => `${amount} con Pix`,
    goToBank: 'Confirmar en tu banco',
    comeBack: 'Después de confirmar, vuelves a esta página.',
    heading: 'Confirma la compra con tu banco',
    why: 'Tu banco pide una confirmación para protegerte. Confirma',
    frame: 'Confirmación de tu banco',
    noScript: 'Continúa en la página del banco y después vuelve aquí.',
    verify: 'Ya confirmé: verificar',
    fullScreen: 'Abrir en pantalla completa',
  },
  redirect: {
    heading: (provider) => `Continúa en ${provider}`,
    why: (provider, company) =>
      `La tarjeta se ingresa en el sitio seguro de ${provider}, que cobra por ${company}. Paga`,
    goOn: 'Continuar al pago',
    back: '¿Ya pagaste o desististe? El resultado aparece aquí.',
    verify: 'Verificar ahora',
  },
  over: {
    expired: 'El código Pix venció',
    cardExpired: 'El plazo de este pago terminó',
    renew: 'Genera un nuevo código para pagar. Tus datos ya están completos.',
    canceled: 'Este pago se canceló',
    renewCanceled: 'Para pagar, genera un nuevo código Pix con los mismos datos.',
    soldOut: 'No pagues este código Pix.',
    soldOutElsewhere: 'Ya no pagues en la página del proveedor.',
    newCode: 'Generar un nuevo código',
    paidAlready:
      '¿Ya pagaste? No pagues de nuevo: en cuanto el banco lo confirme, el comprobante aparecerá en esta página.',
  },
  held: {
    askCompany: 'Si lo necesitas, comunícate con la empresa.',
    received: (received, total, company) =>
      `Recibimos ${received} en lugar de los ${total} de este pago. ${company} debe revisarlo antes de que se confirme. No vuelvas a pagar el monto completo.`,
    reviewed: (company) =>
      `Recibimos tu pago, pero ${company} debe revisarlo antes de que se confirme. No vuelvas a pagar el monto completo.`,
    keepAddress: 'Guarda esta dirección: el resultado aparecerá aquí.',
  },
  returned: {
    why: (company) =>
      `El monto que pagaste no era el que correspondía, y ${company} lo devolvió. Vuelve a la cuenta o a la tarjeta de donde salió.`,
    payRight: 'Pagar el monto correcto',
  },
  receipt: {
    heading: 'Comprobante de pago',
    messageFrom: 'Mensaje de',
    recipient: 'Beneficiario',
    about: 'Concepto',
    amount: 'Monto',
    paidWith: 'Forma de pago',
    installments: 'Cuotas',
    discount: 'Descuento por Pix',
    total: 'Total pagado',
    totalWithInterest: 'Total con interés',
    payer: 'Pagador',
    paidAt: 'Fecha y hora',
    endToEndId: 'ID de Pix',
    transaction: 'Transacción',
    testPayment: 'Pago de prueba, sin valor.',
    refunded: (amount) => `Se devolvieron ${amount}.`,
    chargedBack: (amount) => `El banco devolvió ${amount} tras una disputa.`,
    surplus: (amount) =>
      `Recibimos ${amount} de más. Le avisamos a la empresa para que te los devuelva.`,
    goBack: (host) => `Volver a ${host}`,
    goingBack: { before: 'Volverás en', after: 'segundos.' },
    stay: 'Quedarme en esta página',
    whatsapp: 'Enviar por WhatsApp',
    print: 'Imprimir o guardar como PDF',
    again: 'Hacer otro pago',
    message: (company, title, total, url) =>
      `Comprobante de pago a ${company}: ${title}, ${total}. ${url}`,
  },
  bank: {
    name: 'Banco de prueba',
    done: 'Listo',
    sent: 'Tu respuesta se envió a la tienda.',
    goOn: 'Continuar',
    authorize: '¿Autorizas esta compra?',
    store: 'Tienda',
    amount: 'Monto',
    card: 'Tarjeta',
    approve: 'Aprobar',
    refuse: 'Rechazar',
  },
  acquirer: {
    name: 'Adquirente de prueba',
    heading: 'Paga con tarjeta',
    explain: 'Aquí el cliente ingresaría la tarjeta. En la prueba, elige qué sucede.',
    installments: 'Cuotas',
    approve: 'Pagar: aprobado',
    refuse: 'Pagar: rechazado',
    leave: 'Volver a la tienda sin pagar',
  },
}
