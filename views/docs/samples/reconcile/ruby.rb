# ruby conciliar.rb 2026-11-21
require 'json'
require 'net/http'

day = ARGV.fetch(0)
query = {
  approvedFrom: "#{day}T00:00:00-03:00",
  approvedTo: "#{day}T23:59:59.999-03:00",
  limit: 100
}
payments = []
loop do
  response = Net::HTTP.get_response(
    URI("#{ENV.fetch('BASE_URL')}/api/transactions?#{URI.encode_www_form(query)}"),
    'Authorization' => "Bearer #{ENV.fetch('KEY')}"
  )
  page = JSON.parse(response.body)
  abort page['message'] unless response.is_a?(Net::HTTPSuccess)
  payments.concat(page['data'])
  break unless page['nextCursor']

  query[:cursor] = page['nextCursor']
end

payments.each do |payment|
  reference = payment['externalReference'] || 'null'
  puts "#{reference} #{payment['totalCents']} #{payment['refundedCents']}"
end
received_cents = payments.sum { |payment| payment['totalCents'] }
puts "#{payments.size} pagamentos, #{received_cents} centavos"
