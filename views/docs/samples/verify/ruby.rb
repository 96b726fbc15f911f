# Só a biblioteca padrão: ruby webhook.rb
require 'json'
require 'openssl'
require 'socket'

SECRET = ENV.fetch('WEBHOOK_SECRET').delete_prefix('whsec_').unpack1('m')
seen = {} # em produção, uma tabela com webhook-id único

def genuine?(headers, body)
  timestamp = headers['webhook-timestamp'].to_s
  return false unless (Time.now.to_i - timestamp.to_i).abs <= 300

  signed = "#{headers['webhook-id']}.#{timestamp}.#{body}"
  expected = "v1,#{[OpenSSL::HMAC.digest('SHA256', SECRET, signed)].pack('m0')}"
  # Duas assinaturas enquanto o segredo é trocado: basta uma.
  headers['webhook-signature'].to_s.split.any? do |given|
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end

server = TCPServer.new(Integer(ENV.fetch('PORT', 4000)))
loop do
  client = server.accept
  client.gets
  headers = {}
  while (line = client.gets.to_s.chomp) != ''
    name, value = line.split(': ', 2)
    headers[name.downcase] = value
  end
  body = client.read(headers['content-length'].to_i)
  good = genuine?(headers, body)
  client.write("HTTP/1.1 #{good ? '204 No Content' : '400 Bad Request'}\r\nConnection: close\r\n\r\n")
  client.close
  next if !good || seen[headers['webhook-id']]

  seen[headers['webhook-id']] = true
  event = JSON.parse(body)
  warn "#{event['type']} #{event['data']}"
end
