<?php
// php listar.php
function every(string $path, array $filters): Generator
{
    $query = [...$filters, 'limit' => 100];
    do {
        $request = curl_init(getenv('BASE_URL') . $path . '?' . http_build_query($query));
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
        foreach ($page['data'] as $one) {
            yield $one;
        }
        $query['cursor'] = $page['nextCursor'];
    } while ($query['cursor'] !== null);
}

foreach (every('/api/transactions', ['status' => 'approved']) as $transaction) {
    echo $transaction['id'], ' ', $transaction['totalCents'], PHP_EOL;
}
