// Só a biblioteca padrão: go run webhook.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

var seen sync.Map // em produção, uma tabela com webhook-id único

func isGenuine(secret []byte, header http.Header, body []byte) bool {
	timestamp, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(timestamp, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(header.Get("webhook-id") + "." + header.Get("webhook-timestamp") + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Duas assinaturas enquanto o segredo é trocado: basta uma.
	for _, given := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return true
		}
	}
	return false
}

func main() {
	encoded := strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_")
	secret, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET")
	}
	http.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil || !isGenuine(secret, r.Header, body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		if _, again := seen.LoadOrStore(r.Header.Get("webhook-id"), true); again {
			return
		}
		var event struct {
			Type string          `json:"type"`
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(body, &event) == nil {
			go log.Println(event.Type, string(event.Data))
		}
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	log.Fatal(http.ListenAndServe(":"+port, nil))
}
