package clients

import (
	"net/http"
	"os"
	"testing"

	"github.com/openbao/openbao/api/v2"
)

// limited is a client of a server that lets each token ask twice a second.
func limited(t *testing.T, retries int) *api.Client {
	t.Helper()
	config := api.DefaultConfig()
	config.Address = os.Getenv("LIMITED_ADDR")
	config.MaxRetries = retries
	must(t, config.ConfigureTLS(&api.TLSConfig{CACert: os.Getenv("LIMITED_CACERT")}))
	client, err := api.NewClient(config)
	must(t, err)
	client.SetToken(os.Getenv("LIMITED_TOKEN"))
	return client
}

func TestWhoAsksTooOftenIsToldAndTriesAgain(t *testing.T) {
	hasty := limited(t, 0)
	var err error
	for i := 0; i < 20 && err == nil; i++ {
		_, err = hasty.Auth().Token().LookupSelf()
	}
	refused(t, err, http.StatusTooManyRequests)
	patient := limited(t, 5)
	for i := 0; i < 5; i++ {
		_, err := patient.Auth().Token().LookupSelf()
		must(t, err)
	}
}
