<?php
// php reembolsar.php 019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17
$transactionId = $argv[1];
$request = curl_init(getenv('BASE_URL') . "/api/transactions/$transactionId/refunds");
curl_setopt_array($request, [
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('KEY'),
        'Content-Type: application/json',
        "Idempotency-Key: reembolso-$transactionId",
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'amountCents' => 500,
        'reason' => 'Chegou sem a cobertura',
    ]),
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
$refund = json_decode($body, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException($refund['message']);
}

echo $refund['status'], ' ', $refund['amountCents'], PHP_EOL;
