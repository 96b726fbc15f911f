// go get github.com/standard-webhooks/standard-webhooks/libraries
package main

import (
	"io"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	http.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		// O corpo como veio: um JSON relido e reescrito muda a assinatura.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil || webhook.Verify(body, r.Header) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		// Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
		receive(r.Header.Get("webhook-id"), body)
		w.WriteHeader(http.StatusNoContent)
	})
	panic(http.ListenAndServe(":4000", nil))
}
