<?php
// composer require standard-webhooks/standard-webhooks
require __DIR__ . '/vendor/autoload.php';

use StandardWebhooks\Exception\WebhookVerificationException;
use StandardWebhooks\Webhook;

$webhook = new Webhook(getenv('WEBHOOK_SECRET'));
$headers = array_change_key_case(getallheaders());
// O corpo como veio: um JSON relido e reescrito muda a assinatura.
$body = file_get_contents('php://input');

try {
    $event = $webhook->verify($body, $headers);
} catch (WebhookVerificationException $error) {
    http_response_code(400);
    exit;
}

// Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
receive($headers['webhook-id'], $event);
http_response_code(204);
