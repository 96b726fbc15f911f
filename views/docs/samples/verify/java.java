// Só a biblioteca padrão (Java 17): java Hook.java
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Hook {
    // em produção, uma tabela com webhook-id único
    static final Set<String> seen = ConcurrentHashMap.newKeySet();

    static boolean isGenuine(byte[] secret, Headers headers, byte[] body) throws Exception {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || signatures == null || timestamp == null) return false;
        if (!timestamp.matches("\\d{1,12}")) return false;
        if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;

        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        // Duas assinaturas enquanto o segredo é trocado: basta uma.
        for (String given : signatures.split(" ")) {
            if (MessageDigest.isEqual(given.getBytes(), expected.getBytes())) return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        String encoded = System.getenv("WEBHOOK_SECRET").replaceFirst("^whsec_", "");
        byte[] secret = Base64.getDecoder().decode(encoded);
        String port = System.getenv().getOrDefault("PORT", "4000");
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(port)), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/hook", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            boolean genuine = false;
            try {
                genuine = isGenuine(secret, exchange.getRequestHeaders(), body);
            } catch (Exception error) {
                error.printStackTrace();
            }
            exchange.sendResponseHeaders(genuine ? 204 : 400, -1);
            exchange.close();
            if (!genuine || !seen.add(exchange.getRequestHeaders().getFirst("webhook-id"))) return;
            System.out.println(new String(body, StandardCharsets.UTF_8));
        });
        server.start();
    }
}
