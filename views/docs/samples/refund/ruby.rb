# ruby reembolsar.rb 019a3f5e-7c1d-7b42-9a51-3f0c8d2e6b17
require 'json'
require 'net/http'

transaction_id = ARGV.fetch(0)
response = Net::HTTP.post(
  URI("#{ENV.fetch('BASE_URL')}/api/transactions/#{transaction_id}/refunds"),
  JSON.generate(amountCents: 500, reason: 'Chegou sem a cobertura'),
  'Authorization' => "Bearer #{ENV.fetch('KEY')}",
  'Content-Type' => 'application/json',
  'Idempotency-Key' => "reembolso-#{transaction_id}"
)
refund = JSON.parse(response.body)
abort refund['message'] unless response.is_a?(Net::HTTPSuccess)

puts "#{refund['status']} #{refund['amountCents']}"
