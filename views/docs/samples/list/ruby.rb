# ruby listar.rb
require 'json'
require 'net/http'

def every(path, **filters)
  query = { **filters, limit: 100 }
  loop do
    response = Net::HTTP.get_response(
      URI("#{ENV.fetch('BASE_URL')}#{path}?#{URI.encode_www_form(query)}"),
      'Authorization' => "Bearer #{ENV.fetch('KEY')}"
    )
    page = JSON.parse(response.body)
    abort page['message'] unless response.is_a?(Net::HTTPSuccess)
    page['data'].each { |one| yield one }
    break unless page['nextCursor']

    query[:cursor] = page['nextCursor']
  end
end

every('/api/transactions', status: 'approved') do |transaction|
  puts "#{transaction['id']} #{transaction['totalCents']}"
end
