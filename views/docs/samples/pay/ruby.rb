# ruby pagar.rb k7Pm3XwQzt
require 'json'
require 'net/http'

slug = ARGV.fetch(0)
response = Net::HTTP.post(
  URI("#{ENV.fetch('BASE_URL')}/api/payment-links/#{slug}/simulate-payment"),
  nil,
  'Authorization' => "Bearer #{ENV.fetch('KEY')}"
)
transaction = JSON.parse(response.body)
abort transaction['message'] unless response.is_a?(Net::HTTPSuccess)

puts "#{transaction['id']} #{transaction['status']}"
