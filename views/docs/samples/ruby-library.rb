# gem install sinatra rackup puma standardwebhooks
require 'sinatra'
require 'standardwebhooks'

webhook = StandardWebhooks::Webhook.new(ENV.fetch('WEBHOOK_SECRET'))

post '/hook' do
  names = %w[webhook-id webhook-timestamp webhook-signature]
  headers = names.to_h { |name| [name, request.get_header("HTTP_#{name.upcase.tr('-', '_')}")] }
  begin
    # O corpo como veio: um JSON relido e reescrito muda a assinatura.
    event = webhook.verify(request.body.read, headers)
  rescue StandardWebhooks::WebhookVerificationError
    halt 400
  end

  # Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
  receive(headers['webhook-id'], event)
  status 204
end
