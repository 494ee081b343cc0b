// Package clients drives the API client of OpenBao, as others import it, against a running server.
package clients

import (
	"errors"
	"net/http"
	"os"
	"testing"

	"github.com/openbao/openbao/api/v2"
)

// root is the client of an operator, set up from the environment as the client itself does it.
func root(t *testing.T) *api.Client {
	t.Helper()
	client, err := api.NewClient(nil)
	must(t, err)
	return client
}

// machine is a client that presents the certificate of machine-1, and has no token.
func machine(t *testing.T) *api.Client {
	t.Helper()
	config := api.DefaultConfig()
	must(t, config.ConfigureTLS(&api.TLSConfig{
		CACert:     os.Getenv("BAO_CACERT"),
		ClientCert: os.Getenv("CLIENT_CERTIFICATE"),
		ClientKey:  os.Getenv("CLIENT_KEY"),
	}))
	client, err := api.NewClient(config)
	must(t, err)
	client.ClearToken()
	return client
}

// mount enables the method at a path of the test's own, and disables it in the end.
func mount(t *testing.T, path string) {
	t.Helper()
	client := root(t)
	must(t, client.Sys().EnableAuthWithOptions(path, &api.EnableAuthOptions{Type: "cert"}))
	t.Cleanup(func() { must(t, client.Sys().DisableAuth(path)) })
}

// role writes a role of the authority that machine-1's certificate is of.
func role(t *testing.T, path string, fields map[string]any) {
	t.Helper()
	pem, err := os.ReadFile(os.Getenv("CLIENT_CA"))
	must(t, err)
	data := map[string]any{"certificate": string(pem)}
	for name, value := range fields {
		data[name] = value
	}
	_, err = root(t).Logical().Write("auth/"+path+"/certs/web", data)
	must(t, err)
}

// login logs machine-1 in; its client carries the token from then on.
func login(t *testing.T, path string) (*api.Client, *api.Secret) {
	t.Helper()
	client := machine(t)
	secret, err := client.Logical().Write("auth/"+path+"/login", map[string]any{"name": "web"})
	must(t, err)
	client.SetToken(secret.Auth.ClientToken)
	return client, secret
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// refused expects an answer with this status.
func refused(t *testing.T, err error, status int) {
	t.Helper()
	var response *api.ResponseError
	if !errors.As(err, &response) || response.StatusCode != status {
		t.Fatalf("expected %d %s, got %v", status, http.StatusText(status), err)
	}
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
