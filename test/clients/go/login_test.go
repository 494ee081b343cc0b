package clients

import (
	"slices"
	"testing"
	"time"

	"github.com/openbao/openbao/api/v2"
)

const patience = 60 * time.Second

func TestLogin(t *testing.T) {
	mount(t, "login")
	role(t, "login", map[string]any{"token_policies": []string{"web"}, "token_ttl": "1h"})
	client, secret := login(t, "login")
	equal(t, "lease duration", secret.Auth.LeaseDuration, 3600)
	equal(t, "renewable", secret.Auth.Renewable, true)
	equal(t, "orphan", secret.Auth.Orphan, true)
	equal(t, "certificate role", secret.Auth.Metadata["cert_name"], "web")
	equal(t, "common name", secret.Auth.Metadata["common_name"], "machine-1")
	self, err := client.Auth().Token().LookupSelf()
	must(t, err)
	policies, err := self.TokenPolicies()
	must(t, err)
	equal(t, "policies", slices.Equal(policies, []string{"default", "web"}), true)
	ttl, err := self.TokenTTL()
	must(t, err)
	equal(t, "ttl within the hour", ttl > 0 && ttl <= time.Hour, true)
	accessor, err := self.TokenAccessor()
	must(t, err)
	equal(t, "accessor", accessor, secret.Auth.Accessor)
}

func TestLoginRefused(t *testing.T) {
	mount(t, "refused")
	role(t, "refused", map[string]any{"allowed_common_names": "machine-2"})
	_, err := machine(t).Logical().Write("auth/refused/login", nil)
	refused(t, err, 400)
	stranger := root(t)
	stranger.ClearToken()
	_, err = stranger.Logical().Write("auth/refused/login", nil)
	refused(t, err, 400)
}

func TestLoginWrapped(t *testing.T) {
	mount(t, "wrapped")
	role(t, "wrapped", nil)
	client := machine(t)
	client.SetWrappingLookupFunc(func(string, string) string { return "90s" })
	wrapped, err := client.Logical().Write("auth/wrapped/login", map[string]any{"name": "web"})
	must(t, err)
	if wrapped.Auth != nil || wrapped.WrapInfo == nil {
		t.Fatalf("not wrapped: %+v", wrapped)
	}
	equal(t, "ttl", wrapped.WrapInfo.TTL, 90)
	client.SetWrappingLookupFunc(nil)
	secret, err := client.Logical().Unwrap(wrapped.WrapInfo.Token)
	must(t, err)
	equal(t, "accessor", secret.Auth.Accessor, wrapped.WrapInfo.WrappedAccessor)
	_, err = machine(t).Logical().Unwrap(wrapped.WrapInfo.Token)
	refused(t, err, 400)
}

// The watcher renews a token of a few seconds for longer than it would have lived.
func TestLifetimeWatcher(t *testing.T) {
	mount(t, "watched")
	role(t, "watched", map[string]any{"token_ttl": "3s", "token_max_ttl": "1h"})
	client, secret := login(t, "watched")
	watcher, err := client.NewLifetimeWatcher(&api.LifetimeWatcherInput{Secret: secret})
	must(t, err)
	go watcher.Start()
	defer watcher.Stop()
	started := time.Now()
	for time.Since(started) < 4*time.Second {
		select {
		case renewal := <-watcher.RenewCh():
			equal(t, "lease duration", renewal.Secret.Auth.LeaseDuration, 3)
		case err := <-watcher.DoneCh():
			t.Fatalf("stopped: %v", err)
		case <-time.After(patience):
			t.Fatal("no renewal")
		}
	}
	_, err = client.Auth().Token().LookupSelf()
	must(t, err)
}

// At the maximum there is nothing left to renew: the watcher ends without an error, for its owner to log in again.
func TestLifetimeWatcherEnds(t *testing.T) {
	mount(t, "ends")
	role(t, "ends", map[string]any{"token_ttl": "2s", "token_max_ttl": "4s"})
	client, secret := login(t, "ends")
	watcher, err := client.NewLifetimeWatcher(&api.LifetimeWatcherInput{Secret: secret})
	must(t, err)
	go watcher.Start()
	defer watcher.Stop()
	for {
		select {
		case <-watcher.RenewCh():
		case err := <-watcher.DoneCh():
			must(t, err)
			return
		case <-time.After(patience):
			t.Fatal("the watcher goes on")
		}
	}
}

func TestRenewal(t *testing.T) {
	mount(t, "renewed")
	role(t, "renewed", map[string]any{"token_ttl": "1h", "token_max_ttl": "2h"})
	client, secret := login(t, "renewed")
	renewed, err := client.Auth().Token().RenewSelf(1800)
	must(t, err)
	equal(t, "lease duration", renewed.Auth.LeaseDuration, 1800)
	stranger := root(t)
	_, err = stranger.Auth().Token().RenewTokenAsSelf(secret.Auth.ClientToken, 1800)
	refused(t, err, 400)
}
