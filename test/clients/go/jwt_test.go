package clients

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"testing"
	"time"

	"github.com/openbao/openbao/api/v2"
)

// signed is a token that says what is given, by RS256.
func signed(t *testing.T, key *rsa.PrivateKey, claims map[string]any) string {
	t.Helper()
	part := func(value any) string {
		text, err := json.Marshal(value)
		must(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	text := part(map[string]any{"alg": "RS256"}) + "." + part(claims)
	digest := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, digest[:])
	must(t, err)
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// A pipeline logs in with a token of its own issuer, and its token is renewed.
func TestTokenLogin(t *testing.T) {
	operator := root(t)
	must(t, operator.Sys().EnableAuthWithOptions("ci", &api.EnableAuthOptions{Type: "jwt"}))
	t.Cleanup(func() { must(t, operator.Sys().DisableAuth("ci")) })
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	must(t, err)
	public := string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	_, err = operator.Logical().Write("auth/ci/config", map[string]any{
		"jwt_validation_pubkeys": []string{public}, "bound_issuer": "ci",
	})
	must(t, err)
	_, err = operator.Logical().Write("auth/ci/role/deploy", map[string]any{
		"role_type": "jwt", "user_claim": "sub", "bound_audiences": []string{"a"}, "token_ttl": "1h",
		"bound_claims": map[string]any{"repository": "acme/infra"},
	})
	must(t, err)
	read, err := operator.Logical().Read("auth/ci/role/deploy")
	must(t, err)
	equal(t, "user claim", read.Data["user_claim"], "sub")

	now := time.Now().Unix()
	claims := map[string]any{
		"iss": "ci", "sub": "job", "aud": "a", "iat": now, "exp": now + 300, "repository": "acme/infra",
	}
	pipeline := root(t)
	pipeline.ClearToken()
	secret, err := pipeline.Logical().Write("auth/ci/login", map[string]any{
		"role": "deploy", "jwt": signed(t, key, claims),
	})
	must(t, err)
	equal(t, "role", secret.Auth.Metadata["role"], "deploy")
	equal(t, "lease duration", secret.Auth.LeaseDuration, 3600)
	pipeline.SetToken(secret.Auth.ClientToken)
	renewed, err := pipeline.Auth().Token().RenewSelf(60)
	must(t, err)
	equal(t, "renewable", renewed.Auth.Renewable, true)

	claims["repository"] = "evil/infra"
	stranger := root(t)
	stranger.ClearToken()
	_, err = stranger.Logical().Write("auth/ci/login", map[string]any{
		"role": "deploy", "jwt": signed(t, key, claims),
	})
	refused(t, err, 400)
}
