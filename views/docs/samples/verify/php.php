<?php
// Sem dependências: php -S localhost:4000 webhook.php
function is_genuine(array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!preg_match('/^\d+$/', $timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }

    $secret = base64_decode(preg_replace('/^whsec_/', '', getenv('WEBHOOK_SECRET')));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $secret, true);
    $expected = 'v1,' . base64_encode($digest);
    // Duas assinaturas enquanto o segredo é trocado: basta uma.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

$headers = array_change_key_case(getallheaders());
$body = file_get_contents('php://input');
if (!is_genuine($headers, $body)) {
    http_response_code(400);
    exit;
}

http_response_code(204);
$event = json_decode($body, true);
// Grave $headers['webhook-id'] numa tabela de ids únicos: se já estiver lá, pare aqui.
error_log($event['type'] . ' ' . json_encode($event['data']));
