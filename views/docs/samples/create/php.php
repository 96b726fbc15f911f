<?php
// php criar.php (com a extensão curl)
$request = curl_init(getenv('BASE_URL') . '/api/payment-links');
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: pedido-1042',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'title' => 'Bolo de cenoura',
        'amountCents' => 1990,
        'methods' => ['pix', 'credit_card'],
        'maxInstallments' => 3,
        'externalReference' => 'pedido-1042',
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
$link = json_decode($body, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException($link['message']);
}

echo $link['url'], PHP_EOL;
