import java.io.FileWriter;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.core.io.FileSystemResource;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.vault.VaultException;
import org.springframework.vault.authentication.ClientCertificateAuthentication;
import org.springframework.vault.authentication.ClientCertificateAuthenticationOptions;
import org.springframework.vault.authentication.CubbyholeAuthentication;
import org.springframework.vault.authentication.CubbyholeAuthenticationOptions;
import org.springframework.vault.authentication.LifecycleAwareSessionManager;
import org.springframework.vault.authentication.LifecycleAwareSessionManagerSupport.FixedTimeoutRefreshTrigger;
import org.springframework.vault.authentication.TokenAuthentication;
import org.springframework.vault.authentication.event.AfterLoginTokenRenewedEvent;
import org.springframework.vault.client.ClientHttpRequestFactoryFactory;
import org.springframework.vault.client.SimpleVaultEndpointProvider;
import org.springframework.vault.client.VaultClients;
import org.springframework.vault.client.VaultEndpoint;
import org.springframework.vault.core.VaultTemplate;
import org.springframework.vault.support.ClientOptions;
import org.springframework.vault.support.Policy;
import org.springframework.vault.support.Policy.BuiltinCapabilities;
import org.springframework.vault.support.SslConfiguration;
import org.springframework.vault.support.SslConfiguration.KeyStoreConfiguration;
import org.springframework.vault.support.VaultMount;
import org.springframework.vault.support.VaultToken;
import org.springframework.vault.support.VaultTokenRequest;
import org.springframework.web.client.RestTemplate;

/** Calls the parts of Spring Vault that Lockkeeper serves. Writes one line of JSON for each case to CASES_FILE. */
public class Cases {
  interface Body {
    void run() throws Exception;
  }

  static final char[] PASSWORD = "test".toCharArray();
  static final String ROOT = System.getenv("VAULT_TOKEN");
  static final VaultEndpoint ENDPOINT = VaultEndpoint.from(URI.create(System.getenv("VAULT_ADDR")));
  static final ClientHttpRequestFactory HTTP = http();
  static final VaultTemplate ADMIN = template(new TokenAuthentication(ROOT));
  static PrintWriter out;

  public static void main(String[] args) throws Exception {
    out = new PrintWriter(new FileWriter(System.getenv("CASES_FILE")));
    run("health, of a server that is ready", () -> {
      var health = ADMIN.opsForSys().health();
      check(health.isInitialized() && !health.isSealed() && !health.isStandby(), health);
    });
    run("is initialized", () -> check(ADMIN.opsForSys().isInitialized(), "false"));
    run("unseal status", () -> check(!ADMIN.opsForSys().getUnsealStatus().isSealed(), "sealed"));
    run("policies: written, read, listed, deleted", Cases::policies);
    run("auth mounts: enabled, listed, disabled", Cases::mounts);
    run("the secret mounts are a list", () -> check(ADMIN.opsForSys().getMounts() != null, "null"));
    run("login by certificate, with the name of a role", () -> {
      VaultToken token = certificate("cert", "machines").login();
      var self = template(new TokenAuthentication(token)).read("auth/token/lookup-self");
      check("cert-machines".equals(self.getData().get("display_name")), self.getData());
    });
    run("login by certificate at another mount", () -> certificate("machines", null).login());
    run("a login that is refused tells why", () -> refused("failed to match all constraints", () -> certificate("cert", "no-such").login()));
    run("a session manager logs in, renews and revokes", Cases::session);
    run("tokens: created, renewed, revoked", Cases::tokens);
    run("a token without children's parents (orphan)", Cases::orphans);
    run("wrapping: wrapped, looked up, wrapped again, read once", Cases::wrapping);
    run("a login by a wrapped token (cubbyhole)", Cases::cubbyhole);
    run("what is not there is null", () -> check(ADMIN.read("auth/cert/certs/no-such") == null, "not null"));
    run("lists: names, and an empty one", () -> {
      check(ADMIN.list("auth/cert/certs").contains("machines"), ADMIN.list("auth/cert/certs"));
      check(ADMIN.list("auth/machines/crls").isEmpty(), ADMIN.list("auth/machines/crls"));
    });
    run("a small write without the right is refused, with status and text", () -> denied("x".repeat(10)));
    run("a large write without the right is refused, with status and text", () -> denied("x".repeat(900_000)));
    out.close();
    System.exit(0);
  }

  static void policies() {
    var sys = ADMIN.opsForSys();
    var policy = Policy.of(Policy.Rule.builder().path("auth/token/lookup-self").capability(BuiltinCapabilities.READ).build());
    sys.createOrUpdatePolicy("spring", policy);
    check(sys.getPolicyNames().contains("spring"), sys.getPolicyNames());
    check(sys.getPolicy("spring").equals(policy), sys.getPolicy("spring"));
    sys.deletePolicy("spring");
    check(sys.getPolicy("spring") == null, "still there");
  }

  static void mounts() {
    var sys = ADMIN.opsForSys();
    sys.authMount("spring", VaultMount.builder().type("cert").description("of a test").build());
    check("cert".equals(sys.getAuthMounts().get("spring/").getType()), sys.getAuthMounts());
    sys.authUnmount("spring");
    check(!sys.getAuthMounts().containsKey("spring/"), sys.getAuthMounts());
  }

  /** The role's tokens live for 8 s; the manager renews them 5 s before their end. */
  static void session() throws Exception {
    var scheduler = new ThreadPoolTaskScheduler();
    scheduler.initialize();
    var renewed = new CountDownLatch(3);
    var manager = new LifecycleAwareSessionManager(
        certificate("cert", "short"), scheduler, rest(), new FixedTimeoutRefreshTrigger(5, TimeUnit.SECONDS));
    manager.addAuthenticationListener(event -> {
      if (event instanceof AfterLoginTokenRenewedEvent) renewed.countDown();
    });
    var token = manager.getSessionToken();
    check(renewed.await(60, TimeUnit.SECONDS), "was not renewed");
    check(token.getToken().equals(manager.getSessionToken().getToken()), "another token");
    manager.destroy();
    scheduler.shutdown();
    refused("403", () -> template(new TokenAuthentication(token)).read("auth/token/lookup-self"));
  }

  static void tokens() {
    var operations = ADMIN.opsForToken();
    var request = VaultTokenRequest.builder().withPolicy("default").ttl(Duration.ofMinutes(5)).renewable().meta(Map.of("a", "b")).build();
    var token = operations.create(request).getToken();
    check(operations.renew(token).getToken().equals(token), "another token");
    operations.revoke(token);
    refused("403", () -> template(new TokenAuthentication(token)).read("auth/token/lookup-self"));
  }

  static void orphans() {
    var operations = ADMIN.opsForToken();
    var parent = operations.create(VaultTokenRequest.builder().policies(List.of("root")).build()).getToken();
    var child = template(new TokenAuthentication(parent)).opsForToken().createOrphan(VaultTokenRequest.empty()).getToken();
    operations.revoke(parent);
    check(template(new TokenAuthentication(child)).read("auth/token/lookup-self") != null, "gone");
    operations.revokeOrphan(child);
  }

  static void wrapping() {
    var operations = ADMIN.opsForWrapping();
    var first = operations.wrap(Map.of("secret", "value"), Duration.ofMinutes(1));
    check(operations.lookup(first.getToken()).getTtl().equals(Duration.ofMinutes(1)), first);
    var second = operations.rewrap(first.getToken());
    check(operations.lookup(first.getToken()) == null, "the first one is still there");
    check("value".equals(operations.read(second.getToken()).getData().get("secret")), "another value");
    check(operations.read(second.getToken()) == null, "was read twice");
  }

  static void cubbyhole() {
    var created = ADMIN.doWithSession(rest -> rest.execute("auth/token/create", org.springframework.http.HttpMethod.POST,
        request -> request.getHeaders().add("X-Vault-Wrap-TTL", "60s"),
        response -> new String(response.getBody().readAllBytes())));
    var wrapping = created.replaceAll("(?s).*\"wrap_info\":\\{.*?\"token\":\"([^\"]+)\".*", "$1");
    var options = CubbyholeAuthenticationOptions.builder().initialToken(VaultToken.of(wrapping)).wrapped().build();
    var token = new CubbyholeAuthentication(options, rest()).login();
    check(template(new TokenAuthentication(token)).read("auth/token/lookup-self") != null, "no token");
  }

  static void denied(String comment) {
    var token = ADMIN.opsForToken().create(VaultTokenRequest.builder().withPolicy("default").build()).getToken();
    var weak = template(new TokenAuthentication(token));
    refused("Status 403", () -> weak.write("sys/policies/acl/mine", Map.of("policy", "# " + comment)));
    refused("permission denied", () -> weak.write("sys/policies/acl/mine", Map.of("policy", "# " + comment)));
  }

  static ClientCertificateAuthentication certificate(String mount, String role) {
    var options = ClientCertificateAuthenticationOptions.builder().path(mount);
    if (role != null) options.role(role);
    return new ClientCertificateAuthentication(options.build(), rest());
  }

  static VaultTemplate template(org.springframework.vault.authentication.ClientAuthentication authentication) {
    return new VaultTemplate(ENDPOINT, HTTP, new org.springframework.vault.authentication.SimpleSessionManager(authentication));
  }

  static RestTemplate rest() {
    return VaultClients.createRestTemplate(SimpleVaultEndpointProvider.of(ENDPOINT), HTTP);
  }

  static ClientHttpRequestFactory http() {
    var pem = SslConfiguration.PEM_KEYSTORE_TYPE;
    var key = KeyStoreConfiguration.of(new FileSystemResource(System.getenv("CLIENT_KEYSTORE")), PASSWORD, "PKCS12");
    var trust = KeyStoreConfiguration.of(new FileSystemResource(System.getenv("VAULT_CACERT"))).withStoreType(pem);
    return ClientHttpRequestFactoryFactory.create(new ClientOptions(), new SslConfiguration(key, SslConfiguration.KeyConfiguration.of(PASSWORD, null), trust));
  }

  static void check(boolean holds, Object seen) {
    if (!holds) throw new AssertionError(String.valueOf(seen));
  }

  static void refused(String text, Body body) {
    try {
      body.run();
    } catch (Exception e) {
      check(e instanceof VaultException || e.getMessage() != null, e);
      check(chain(e).contains(text), chain(e));
      return;
    }
    throw new AssertionError("was not refused");
  }

  static String chain(Throwable e) {
    return e == null ? "" : e + " < " + chain(e.getCause());
  }

  static void run(String name, Body body) {
    String failure = null;
    try {
      body.run();
    } catch (Throwable e) {
      failure = chain(e);
    }
    out.println("{\"name\":" + quoted(name) + ",\"outcome\":\"" + (failure == null ? "passed" : "failed") + "\",\"detail\":" + quoted(failure == null ? "" : failure) + "}");
    out.flush();
  }

  static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\s+", " ") + "\"";
  }
}
