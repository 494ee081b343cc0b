package clients

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	. "github.com/hashicorp/go-tfe/v2/api/models"
)

// connected makes a connection to GitHub, and waits until the server has checked it.
func (s *session) connected() {
	s.t.Helper()
	s.make("client", "POST", "/organizations/:org/oauth-clients", CreateOauthClientsEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": {"service-provider": "github", "http-url": "https://github.com",
		  "api-url": "https://api.github.com", "oauth-token-string": %q}}}`, os.Getenv("GITHUB_TOKEN")))
	s.ids["token"] = idsIn(s.read("/oauth-clients/:client/oauth-tokens"))[0]
	// The client's model has no status of a connection.
	var client struct {
		Data struct {
			Attributes struct {
				Status string `json:"connection-status"`
			}
		}
	}
	for range 100 {
		if s.plainly("GET", "/oauth-clients/:client", "", &client); client.Data.Attributes.Status == "ok" {
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
	s.t.Fatalf("the connection is %s", client.Data.Attributes.Status)
}

func TestRepositories(t *testing.T) {
	s := inOrganization(t)
	s.connected()
	s.ids["repository"] = os.Getenv("GITHUB_REPOSITORY")
	if found := idsIn(s.read("/oauth-tokens/:token/authorized-repos")); !slices.Contains(found, s.ids["repository"]) {
		t.Errorf("%s is not in %v", s.ids["repository"], found)
	}
	if owners := idsIn(s.read("/oauth-tokens/:token/vcs-organizations")); len(owners) == 0 {
		t.Error("no owner of repositories")
	}
	of := "?oauth_token_id=:token&identifier=:repository"
	s.is(attribute(s.read("/organizations/:org/vcs/repo"+of), "Exists"), "true")
	s.read("/organizations/:org/vcs/tree" + of)
	if events := idsIn(s.read("/organizations/:org/vcs-events")); len(events) != 0 {
		t.Errorf("events without a workspace that follows a repository: %v", events)
	}
}

// Only a sign-in at GitHub links an installation of an App.
func TestInstallationsOfApps(t *testing.T) {
	s := inOrganization(t)
	s.ids["me"] = text(get(s.read("/account/details"), "Data", "Id"))
	for _, list := range []string{
		"/github-app-installations?filter[name]=none",
		"/organizations/:org/github-app-installations",
		"/users/:me/github-app-oauth-tokens",
	} {
		if found := idsIn(s.read(list)); len(found) != 0 {
			t.Errorf("%s has %v", list, found)
		}
	}
	s.ids["installation"] = "ghain-none"
	s.refused(404, "GET", "/github-app/installation/:installation", nil, "")
	s.refused(404, "GET", "/github-app-installations/:installation/repos", nil, "")
	s.refused(404, "GET", "/organizations/:org/github-app-installations/:installation/repos", nil, "")
	s.refused(422, "POST", "/organizations/:org/github-app-installations/:installation/link-account", nil, "")
}
