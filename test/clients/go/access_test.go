package clients

import (
	"slices"
	"strings"
	"testing"

	"github.com/openbao/openbao/api/v2"
)

func TestPolicies(t *testing.T) {
	sys := root(t).Sys()
	text := `path "sys/auth" { capabilities = ["read", "sudo"] }`
	must(t, sys.PutPolicy("mounts", text))
	names, err := sys.ListPolicies()
	must(t, err)
	for _, name := range []string{"default", "mounts", "root"} {
		equal(t, name, slices.Contains(names, name), true)
	}
	read, err := sys.GetPolicy("mounts")
	must(t, err)
	equal(t, "text", read, text)
	refused(t, sys.PutPolicy("broken", `path "x" { capabilities = ["fly"] }`), 400)
	refused(t, sys.PutPolicy("root", text), 400)
	must(t, sys.DeletePolicy("mounts"))
	read, err = sys.GetPolicy("mounts")
	must(t, err)
	equal(t, "text of what is gone", read, "")
}

func TestPolicyOfALogin(t *testing.T) {
	sys := root(t).Sys()
	must(t, sys.PutPolicy("web", `path "sys/auth" { capabilities = ["read", "sudo"] }`))
	t.Cleanup(func() { must(t, sys.DeletePolicy("web")) })
	mount(t, "decided")
	role(t, "decided", map[string]any{"token_policies": "web"})
	client, secret := login(t, "decided")
	_, err := client.Sys().ListAuth()
	must(t, err)
	_, err = client.Sys().ListPolicies()
	refused(t, err, 403)
	own, err := client.Sys().CapabilitiesSelf("sys/auth")
	must(t, err)
	equal(t, "own", slices.Equal(own, []string{"sudo", "read"}), true)
	others, err := sys.Capabilities(secret.Auth.ClientToken, "sys/policies/acl")
	must(t, err)
	equal(t, "others", slices.Equal(others, []string{"deny"}), true)
}

func TestMounts(t *testing.T) {
	sys := root(t).Sys()
	options := &api.EnableAuthOptions{
		Type:        "cert",
		Description: "of a test",
		Config:      api.AuthConfigInput{DefaultLeaseTTL: "30m", MaxLeaseTTL: "1h"},
	}
	// The command line puts a slash behind the path.
	must(t, sys.EnableAuthWithOptions("listed/", options))
	if err := sys.EnableAuthWithOptions("listed", options); err == nil {
		t.Error("a path was given away twice")
	}
	mounts, err := sys.ListAuth()
	must(t, err)
	equal(t, "type of token/", mounts["token/"].Type, "token")
	listed := mounts["listed/"]
	equal(t, "type", listed.Type, "cert")
	equal(t, "description", listed.Description, "of a test")
	equal(t, "default lease", listed.Config.DefaultLeaseTTL, 1800)
	equal(t, "max lease", listed.Config.MaxLeaseTTL, 3600)
	must(t, sys.Remount("auth/listed", "auth/moved"))
	mounts, err = sys.ListAuth()
	must(t, err)
	equal(t, "accessor after the move", mounts["moved/"].Accessor, listed.Accessor)
	must(t, sys.DisableAuth("moved"))
	must(t, sys.DisableAuth("moved"))
	mounts, err = sys.ListAuth()
	must(t, err)
	equal(t, "mount that is gone", mounts["moved/"], nil)
}

func TestTune(t *testing.T) {
	mount(t, "tuned")
	role(t, "tuned", nil)
	sys := root(t).Sys()
	description := "tuned"
	must(t, sys.TuneMount("auth/tuned", api.MountConfigInput{
		DefaultLeaseTTL: "10m", MaxLeaseTTL: "20m", Description: &description, TokenType: "default-service",
	}))
	config, err := sys.MountConfig("auth/tuned")
	must(t, err)
	equal(t, "default lease", config.DefaultLeaseTTL, 600)
	equal(t, "max lease", config.MaxLeaseTTL, 1200)
	equal(t, "token type", config.TokenType, "default-service")
	_, secret := login(t, "tuned")
	equal(t, "lease duration", secret.Auth.LeaseDuration, 600)
	must(t, sys.TuneMount("auth/tuned", api.MountConfigInput{TokenType: "batch"}))
	_, secret = login(t, "tuned")
	equal(t, "renewable", secret.Auth.Renewable, false)
	equal(t, "accessor", secret.Auth.Accessor, "")
}

func TestRevoke(t *testing.T) {
	mount(t, "revoked")
	role(t, "revoked", nil)
	tokens, sys := root(t).Auth().Token(), root(t).Sys()
	ways := map[string]func(secret *api.Secret) error{
		"accessor": func(secret *api.Secret) error { return tokens.RevokeAccessor(secret.Auth.Accessor) },
		"tree":     func(secret *api.Secret) error { return tokens.RevokeTree(secret.Auth.ClientToken) },
		"orphan":   func(secret *api.Secret) error { return tokens.RevokeOrphan(secret.Auth.ClientToken) },
		"prefix":   func(*api.Secret) error { return sys.RevokePrefix("auth/revoked/") },
		"force":    func(*api.Secret) error { return sys.RevokeForce("auth/revoked") },
	}
	for way, revoke := range ways {
		t.Run(way, func(t *testing.T) {
			client, secret := login(t, "revoked")
			must(t, revoke(secret))
			_, err := client.Auth().Token().LookupSelf()
			refused(t, err, 403)
		})
	}
	t.Run("self", func(t *testing.T) {
		client, _ := login(t, "revoked")
		must(t, client.Auth().Token().RevokeSelf(""))
		_, err := client.Auth().Token().LookupSelf()
		refused(t, err, 403)
	})
}

func TestTokens(t *testing.T) {
	tokens := root(t).Auth().Token()
	created, err := tokens.Create(&api.TokenCreateRequest{
		Policies: []string{"default"}, TTL: "1h", DisplayName: "deploy", Metadata: map[string]string{"team": "web"},
	})
	must(t, err)
	equal(t, "lease duration", created.Auth.LeaseDuration, 3600)
	found, err := tokens.Lookup(created.Auth.ClientToken)
	must(t, err)
	equal(t, "display name", found.Data["display_name"], any("token-deploy"))
	metadata, err := found.TokenMetadata()
	must(t, err)
	equal(t, "metadata", metadata["team"], "web")
	byAccessor, err := tokens.LookupAccessor(created.Auth.Accessor)
	must(t, err)
	equal(t, "token told by its accessor", byAccessor.Data["id"], any(""))
	renewed, err := tokens.RenewAccessor(created.Auth.Accessor, 60)
	must(t, err)
	equal(t, "lease duration after renewal", renewed.Auth.LeaseDuration, 60)
	orphan, err := tokens.CreateOrphan(&api.TokenCreateRequest{TTL: "1m"})
	must(t, err)
	equal(t, "orphan", orphan.Auth.Orphan, true)
	_, err = root(t).Logical().Write("auth/token/roles/go", map[string]any{"allowed_policies": "go"})
	must(t, err)
	byRole, err := tokens.CreateWithRole(&api.TokenCreateRequest{}, "go")
	must(t, err)
	equal(t, "policies", slices.Equal(byRole.Auth.Policies, []string{"default", "go"}), true)
}

func TestSystem(t *testing.T) {
	sys := root(t).Sys()
	health, err := sys.Health()
	must(t, err)
	equal(t, "initialized", health.Initialized, true)
	equal(t, "sealed", health.Sealed, false)
	status, err := sys.SealStatus()
	must(t, err)
	equal(t, "seal status", status.Sealed, false)
	equal(t, "version", status.Version, health.Version)
	initialized, err := sys.InitStatus()
	must(t, err)
	equal(t, "init status", initialized, true)
	_, err = sys.Leader()
	must(t, err)
}

func TestRoles(t *testing.T) {
	mount(t, "roles")
	logical := root(t).Logical()
	empty, err := logical.List("auth/roles/certs")
	must(t, err)
	if empty != nil {
		t.Errorf("roles of a new mount: %v", empty.Data)
	}
	role(t, "roles", map[string]any{"token_ttl": "5m"})
	list, err := logical.List("auth/roles/certs")
	must(t, err)
	equal(t, "first of the list", list.Data["keys"].([]any)[0], any("web"))
	read, err := logical.Read("auth/roles/certs/web")
	must(t, err)
	equal(t, "display name", read.Data["display_name"], any("web"))
	_, err = logical.Delete("auth/roles/certs/web")
	must(t, err)
	gone, err := logical.Read("auth/roles/certs/web")
	must(t, err)
	if gone != nil {
		t.Errorf("a role that is gone: %v", gone.Data)
	}
}

func TestWrapping(t *testing.T) {
	logical := root(t).Logical()
	wrap := func() *api.SecretWrapInfo {
		wrapped, err := logical.Write("sys/wrapping/wrap", map[string]any{"colour": "green"})
		must(t, err)
		return wrapped.WrapInfo
	}
	first := wrap()
	seen, err := logical.Write("sys/wrapping/lookup", map[string]any{"token": first.Token})
	must(t, err)
	equal(t, "creation path", seen.Data["creation_path"], any("sys/wrapping/wrap"))
	again, err := logical.Write("sys/wrapping/rewrap", map[string]any{"token": first.Token})
	must(t, err)
	_, err = logical.Unwrap(first.Token)
	refused(t, err, 400)
	unwrapped, err := logical.Unwrap(again.WrapInfo.Token)
	must(t, err)
	equal(t, "colour", unwrapped.Data["colour"], any("green"))
}

func TestIdentity(t *testing.T) {
	mount(t, "identified")
	role(t, "identified", nil)
	_, secret := login(t, "identified")
	logical := root(t).Logical()
	entity, err := logical.Read("identity/entity/id/" + secret.Auth.EntityID)
	must(t, err)
	alias := entity.Data["aliases"].([]any)[0].(map[string]any)
	equal(t, "alias", alias["name"], any("machine-1"))
	equal(t, "mount", alias["mount_path"], any("auth/identified/"))
	list, err := logical.List("identity/entity/id")
	must(t, err)
	equal(t, "listed", slices.Contains(list.Data["keys"].([]any), any(secret.Auth.EntityID)), true)
}

func TestBoundAddresses(t *testing.T) {
	mount(t, "bound")
	role(t, "bound", map[string]any{"token_bound_cidrs": "192.0.2.0/24"})
	_, err := machine(t).Logical().Write("auth/bound/login", nil)
	refused(t, err, 400)
	role(t, "bound", map[string]any{"token_bound_cidrs": "127.0.0.0/8"})
	client, _ := login(t, "bound")
	_, err = client.Auth().Token().LookupSelf()
	must(t, err)
}

// TestHelp asks as `bao path-help` does: for the text, and for the document with -format=json.
func TestHelp(t *testing.T) {
	mount(t, "helpful")
	for path, named := range map[string]string{
		"auth/helpful":           "login/explain",
		"auth/helpful/certs/web": "allowed_common_names",
		"auth/token":             "lookup-self",
		"sys":                    "policies/acl",
		"sys/policies/acl/any":   "policy (string)",
	} {
		help, err := root(t).Help(path)
		must(t, err)
		if !strings.Contains(help.Help, named) {
			t.Errorf("help about %s does not name %s:\n%s", path, named, help.Help)
		}
		if paths, _ := help.OpenAPI["paths"].(map[string]any); len(paths) == 0 {
			t.Errorf("help about %s has no paths: %v", path, help.OpenAPI)
		}
	}
	_, err := root(t).Help("sys/nothing-of-this-name")
	refused(t, err, 404)
}
