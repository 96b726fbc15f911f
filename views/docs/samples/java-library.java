// com.standardwebhooks:standardwebhooks, e Spring para o HTTP
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.*;

@RestController
class HookController {
    private final Webhook webhook;

    HookController() throws Exception {
        webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
    }

    // O corpo como veio: um JSON relido e reescrito muda a assinatura.
    @PostMapping("/hook")
    ResponseEntity<Void> hook(
            @RequestBody String body, @RequestHeader MultiValueMap<String, String> headers) {
        try {
            webhook.verify(body, headers);
        } catch (WebhookVerificationException error) {
            return ResponseEntity.badRequest().build();
        }
        // Sua tabela de recebidos, com webhook-id único: uma repetição não entra na fila.
        receive(headers.getFirst("webhook-id"), body);
        return ResponseEntity.noContent().build();
    }
}
