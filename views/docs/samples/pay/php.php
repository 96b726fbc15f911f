<?php
// php pagar.php k7Pm3XwQzt
$slug = $argv[1];
$request = curl_init(getenv('BASE_URL') . "/api/payment-links/$slug/simulate-payment");
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('KEY')],
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
]);
$body = curl_exec($request);
if ($body === false) {
    throw new RuntimeException(curl_error($request));
}
$transaction = json_decode($body, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
    throw new RuntimeException($transaction['message']);
}

echo $transaction['id'], ' ', $transaction['status'], PHP_EOL;
