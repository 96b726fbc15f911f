// npm install express standardwebhooks
import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
const app = express()

// O corpo tem de chegar como veio: um JSON relido e reescrito muda a assinatura.
app.post('/hook', express.raw({ type: 'application/json' }), async (request, response) => {
  let event
  try {
    event = webhook.verify(request.body, request.headers)
  } catch {
    return response.sendStatus(400)
  }

  // Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
  await receive(request.headers['webhook-id'], event)
  response.sendStatus(204)
})

app.listen(4000)
