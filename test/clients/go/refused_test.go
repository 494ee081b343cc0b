package clients

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/openbao/openbao/api/v2"
)

// A request that is refused, most of them before their body is read.
type refusedRequest struct {
	name, method, path, token string
	body                      []byte
	contentType               string
	status                    int
}

func refusedRequests() []refusedRequest {
	root, user := os.Getenv("BAO_TOKEN"), os.Getenv("USER_TOKEN")
	large := bytes.Repeat([]byte("x"), 40<<20)
	const jsonAPI = "application/vnd.api+json"
	return []refusedRequest{
		{"v1 unknown path", "POST", "/v1/sys/nothing", root, []byte(`{"a":1}`), jsonAPI, 404},
		{"v1 unknown operation", "POST", "/v1/sys/mounts/kv", root, []byte(`{"type":"kv"}`), jsonAPI, 405},
		{"v1 PUT quotas", "PUT", "/v1/sys/quotas/rate-limit/x", root, []byte(`{"rate":10}`), jsonAPI, 404},
		{"v1 without token", "PUT", "/v1/sys/policies/acl/x", "", []byte(`{"policy":""}`), jsonAPI, 403},
		{"v1 wrong token", "PUT", "/v1/sys/policies/acl/x", "lks.a.b", []byte(`{"policy":""}`), jsonAPI, 403},
		{"v1 wrong token, 40 MB", "PUT", "/v1/sys/policies/acl/x", "lks.a.b", large, jsonAPI, 403},
		{"v1 not JSON", "PUT", "/v1/sys/policies/acl/x", root, []byte(`{`), jsonAPI, 400},
		{"v1 40 MB", "PUT", "/v1/sys/policies/acl/x", root, large, jsonAPI, 413},
		{"v1 login without certificate", "POST", "/v1/auth/cert/login", "", []byte(`{"name":"web"}`), jsonAPI, 400},
		{"v1 method", "BREW", "/v1/sys/health", root, large, jsonAPI, 405},
		{"api unknown path", "POST", "/api/v2/nothing", user, []byte(`{"data":{}}`), jsonAPI, 404},
		{"api policies", "POST", "/api/v2/organizations/demo/policies", user, []byte(`{"data":{}}`), jsonAPI, 404},
		{"api unknown operation", "PUT", "/api/v2/organizations/demo", user, []byte(`{"data":{}}`), jsonAPI, 404},
		{"api without token", "POST", "/api/v2/organizations/demo/workspaces", "", []byte(`{"data":{}}`), jsonAPI, 401},
		{"api wrong token", "POST", "/api/v2/organizations/demo/workspaces", "lku.a.b", []byte(`{"data":{}}`), jsonAPI, 401},
		{"api wrong token, 40 MB", "POST", "/api/v2/organizations/demo/workspaces", "lku.a.b", large, jsonAPI, 401},
		{"api other content type", "POST", "/api/v2/organizations/demo/workspaces", user, []byte(`<a/>`), "text/xml", 415},
		{"api 40 MB", "POST", "/api/v2/organizations/demo/workspaces", user, large, jsonAPI, 413},
		{"api state upload", "PUT", "/api/v2/state-versions/sv-x/upload", "", large, "application/octet-stream", 401},
		{"api configuration upload", "PUT", "/api/v2/configuration-uploads/x", "", large, "application/octet-stream", 404},
		{"root path", "POST", "/nothing", user, []byte(`{"data":{}}`), jsonAPI, 404},
		{"root path, 40 MB", "POST", "/nothing", user, large, jsonAPI, 404},
	}
}

func TestARefusalReachesAClientThatHasABody(t *testing.T) {
	pem, err := os.ReadFile(os.Getenv("BAO_CACERT"))
	must(t, err)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	for _, major := range []int{1, 2} {
		trust := &tls.Config{RootCAs: pool}
		client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: major == 2, TLSClientConfig: trust}}
		for _, c := range refusedRequests() {
			t.Run(c.name+map[int]string{1: ", HTTP/1.1", 2: ", HTTP/2"}[major], func(t *testing.T) {
				request, err := http.NewRequest(c.method, os.Getenv("BAO_ADDR")+c.path, bytes.NewReader(c.body))
				must(t, err)
				request.Header.Set("Content-Type", c.contentType)
				if c.token != "" {
					request.Header.Set("Authorization", "Bearer "+c.token)
				}
				answer, err := client.Do(request)
				must(t, err)
				defer answer.Body.Close()
				text, err := io.ReadAll(answer.Body)
				must(t, err)
				var said struct{ Errors []any }
				must(t, json.Unmarshal(text, &said))
				if answer.ProtoMajor != major || answer.StatusCode != c.status || len(said.Errors) == 0 {
					t.Fatalf("%s %d %s", answer.Proto, answer.StatusCode, text)
				}
			})
		}
	}
}

// As `bao policy write` does it.
func TestAPolicyThatMayNotBeWrittenSaysSo(t *testing.T) {
	secret, err := root(t).Auth().Token().Create(&api.TokenCreateRequest{Policies: []string{"default"}})
	must(t, err)
	client := root(t)
	client.SetToken(secret.Auth.ClientToken)
	err = client.Sys().PutPolicy("mine", `path "x" { capabilities = ["read"] }`)
	refused(t, err, http.StatusForbidden)
	if !strings.Contains(err.Error(), "permission denied") {
		t.Fatal(err)
	}
}
