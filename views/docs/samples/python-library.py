# pip install flask standardwebhooks
import os

from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])


@app.post("/hook")
def hook():
    try:
        # O corpo como veio: um JSON relido e reescrito muda a assinatura.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400

    # Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
    receive(request.headers["webhook-id"], event)
    return "", 204
