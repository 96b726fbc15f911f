# ruby criar.rb (só a biblioteca padrão)
require 'json'
require 'net/http'

response = Net::HTTP.post(
  URI("#{ENV.fetch('BASE_URL')}/api/payment-links"),
  JSON.generate(
    title: 'Bolo de cenoura',
    amountCents: 1990,
    methods: %w[pix credit_card],
    maxInstallments: 3,
    externalReference: 'pedido-1042'
  ),
  'Authorization' => "Bearer #{ENV.fetch('KEY')}",
  'Content-Type' => 'application/json',
  'Idempotency-Key' => 'pedido-1042'
)
link = JSON.parse(response.body)
abort link['message'] unless response.is_a?(Net::HTTPSuccess)

puts link['url']
