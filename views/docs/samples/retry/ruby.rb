# ruby repetir.rb pedido-1044
require 'json'
require 'net/http'

NO_ANSWER = [SystemCallError, IOError, SocketError, Timeout::Error].freeze

def post_json(path, body, key)
  Net::HTTP.post(
    URI(ENV.fetch('BASE_URL') + path),
    JSON.generate(body),
    'Authorization' => "Bearer #{ENV.fetch('KEY')}",
    'Content-Type' => 'application/json',
    'Idempotency-Key' => key
  )
rescue *NO_ANSWER
  nil # a rede caiu: não se sabe se chegou
end

def send_again(path, body, key)
  1.upto(5) do |attempt|
    response = post_json(path, body, key)
    return JSON.parse(response.body) if response.is_a?(Net::HTTPSuccess)

    refused = response && response.code != '429' && response.code < '500'
    answer = JSON.parse(response.body) if refused # um proxy responde em HTML
    abort answer['message'] if refused && answer['code'] != 'idempotency_in_progress'
    sleep((response && response['retry-after'] || 2**attempt).to_i)
  end
  abort 'Sem resposta'
end

link = { title: 'Bolo de cenoura', amountCents: 1990, methods: ['pix'] }
puts send_again('/api/payment-links', link, ARGV.fetch(0))['url']
