// A Vault of this process alone, in memory: its own core, its own HTTP API, its own methods JWT and cert, its own engine transit.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/go-hclog"
	jwtauth "github.com/hashicorp/vault-plugin-auth-jwt"
	"github.com/hashicorp/vault/builtin/credential/cert"
	"github.com/hashicorp/vault/builtin/logical/transit"
	vaulthttp "github.com/hashicorp/vault/http"
	"github.com/hashicorp/vault/sdk/helper/consts"
	"github.com/hashicorp/vault/sdk/logical"
	"github.com/hashicorp/vault/sdk/physical/inmem"
	"github.com/hashicorp/vault/vault"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// It prints its address and its root token as JSON, and serves until its standard input ends.
func run() error {
	storage, err := inmem.NewInmem(nil, hclog.NewNullLogger())
	if err != nil {
		return err
	}
	core, err := vault.NewCore(&vault.CoreConfig{
		Physical:           storage,
		CredentialBackends: credentials,
		LogicalBackends:    engines,
		BuiltinRegistry:    registry{},
		DisableMlock:       true,
		Logger:             hclog.New(&hclog.LoggerOptions{Output: os.Stderr, Level: hclog.Error}),
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handler := vaulthttp.Handler.Handler(&vault.HandlerProperties{Core: core})
	address := "http://" + listener.Addr().String()
	go http.Serve(listener, handler)
	secure, err := serveSecurely(handler)
	if err != nil {
		return err
	}
	token, err := open(address)
	if err != nil {
		return err
	}
	said, err := json.Marshal(map[string]string{"address": address, "secure": secure, "token": token})
	if err != nil {
		return err
	}
	fmt.Println(string(said))
	_, _ = os.Stdin.Read(make([]byte, 1))
	return nil
}

// serveSecurely serves with the certificate that CERTIFICATE and PRIVATE_KEY hold in PEM, and asks clients for theirs.
func serveSecurely(handler http.Handler) (string, error) {
	if os.Getenv("CERTIFICATE") == "" {
		return "", nil
	}
	certificate, err := tls.X509KeyPair([]byte(os.Getenv("CERTIFICATE")), []byte(os.Getenv("PRIVATE_KEY")))
	if err != nil {
		return "", err
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, ClientAuth: tls.RequestClientCert}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		return "", err
	}
	go http.Serve(listener, handler)
	return "https://" + listener.Addr().String(), nil
}

// open initializes and unseals it, as an operator does.
func open(address string) (string, error) {
	var made struct {
		Keys      []string `json:"keys_base64"`
		RootToken string   `json:"root_token"`
	}
	if err := put(address+"/v1/sys/init", `{"secret_shares": 1, "secret_threshold": 1}`, &made); err != nil {
		return "", err
	}
	return made.RootToken, put(address+"/v1/sys/unseal", `{"key": "`+made.Keys[0]+`"}`, &struct{}{})
}

func put(url, body string, answer any) error {
	request, err := http.NewRequest(http.MethodPut, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return fmt.Errorf("%s: %s", url, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

// What this Vault has beyond its core.
var (
	credentials = map[string]logical.Factory{"jwt": jwtauth.Factory, "cert": cert.Factory}
	engines     = map[string]logical.Factory{"transit": transit.Factory}
)

// registry says that they are built in.
type registry struct{}

func (registry) Contains(name string, kind consts.PluginType) bool {
	if kind == consts.PluginTypeCredential {
		return credentials[name] != nil
	}
	return kind == consts.PluginTypeSecrets && engines[name] != nil
}

func (r registry) Get(name string, kind consts.PluginType) (func() (interface{}, error), bool) {
	factory := credentials[name]
	if kind == consts.PluginTypeSecrets {
		factory = engines[name]
	}
	return func() (interface{}, error) { return factory, nil }, r.Contains(name, kind)
}

func (registry) IsBuiltinEntPlugin(string, consts.PluginType) bool { return false }

func (registry) Keys(kind consts.PluginType) []string {
	if kind == consts.PluginTypeSecrets {
		return slices.Collect(maps.Keys(engines))
	}
	return slices.Collect(maps.Keys(credentials))
}

func (registry) DeprecationStatus(string, consts.PluginType) (consts.DeprecationStatus, bool) {
	return consts.Supported, true
}
