<?php
// php conciliar.php 2026-11-21
$day = $argv[1];
$query = [
    'approvedFrom' => "{$day}T00:00:00-03:00",
    'approvedTo' => "{$day}T23:59:59.999-03:00",
    'limit' => 100,
];
$payments = [];
do {
    $request = curl_init(getenv('BASE_URL') . '/api/transactions?' . http_build_query($query));
    curl_setopt_array($request, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('KEY')],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    $body = curl_exec($request);
    if ($body === false) {
        throw new RuntimeException(curl_error($request));
    }
    $page = json_decode($body, true);
    if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 400) {
        throw new RuntimeException($page['message']);
    }
    $payments = [...$payments, ...$page['data']];
    $query['cursor'] = $page['nextCursor'];
} while ($query['cursor'] !== null);

foreach ($payments as $payment) {
    $reference = $payment['externalReference'] ?? 'null';
    echo "$reference {$payment['totalCents']} {$payment['refundedCents']}\n";
}
$receivedCents = array_sum(array_column($payments, 'totalCents'));
echo count($payments), " pagamentos, $receivedCents centavos\n";
