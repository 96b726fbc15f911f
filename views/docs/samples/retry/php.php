<?php
// php repetir.php pedido-1044
function send(string $path, array $body, string $key): array
{
    for ($attempt = 1; $attempt <= 5; $attempt++) {
        $request = curl_init(getenv('BASE_URL') . $path);
        curl_setopt_array($request, [
            CURLOPT_HTTPHEADER => [
                'Authorization: Bearer ' . getenv('KEY'),
                'Content-Type: application/json',
                "Idempotency-Key: $key",
            ],
            CURLOPT_POSTFIELDS => json_encode($body),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT => 30,
        ]);
        // false se a rede caiu, antes ou no meio da resposta: não se sabe se chegou
        $answer = json_decode(curl_exec($request) ?: 'null', true);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        if ($answer && $status >= 200 && $status < 300) {
            return $answer;
        }
        $refused = $status >= 400 && $status < 500 && $status !== 429;
        if ($refused && ($answer['code'] ?? '') !== 'idempotency_in_progress') {
            throw new RuntimeException($answer['message']);
        }
        sleep(curl_getinfo($request, CURLINFO_RETRY_AFTER) ?: 2 ** $attempt);
    }
    throw new RuntimeException('Sem resposta');
}

$link = ['title' => 'Bolo de cenoura', 'amountCents' => 1990, 'methods' => ['pix']];
echo send('/api/payment-links', $link, $argv[1])['url'], PHP_EOL;
