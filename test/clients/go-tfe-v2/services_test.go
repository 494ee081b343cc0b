package clients

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	. "github.com/hashicorp/go-tfe/v2/api/models"
)

// inOrganization has an organization, a project, two workspaces, a team and a member.
func inOrganization(t *testing.T) *session {
	t.Helper()
	s := newSession(t)
	s.do("POST", "/organizations", CreateOrganizationsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "$org", "email": "v2@example.com"}}}`)
	s.make("project", "POST", "/organizations/:org/projects", CreateProjectsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "core", "description": "first"}}}`)
	for _, name := range []string{"one", "two"} {
		s.workspace(name)
	}
	s.make("team", "POST", "/organizations/:org/teams", CreateTeamsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "ops", "organization-access": {"manage-workspaces": true}}}}`)
	s.make("member", "POST", "/organizations/:org/organization-memberships",
		CreateOrganizationMembershipsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"email": "$org@example.com"}}}`)
	return s
}

// workspace makes one; the specification requires the type of workspaces.
func (s *session) workspace(name string) {
	s.t.Helper()
	s.make(name, "POST", "/organizations/:org/workspaces", CreateWorkspacesEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"type": "workspaces", "attributes": {"name": "%s"}}}`, name))
}

func (s *session) key() {
	s.t.Helper()
	s.make("key", "POST", "/organizations/:org/ssh-keys", CreateSshKeysEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": {"name": "deploy", "value": %q}}}`, os.Getenv("PRIVATE_KEY")))
}

func TestOrganizations(t *testing.T) {
	s := inOrganization(t)
	s.lists("/organizations", "org")
	one := "/organizations/:org"
	s.do("PATCH", one, CreateOrganizationsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"email": "other@example.com", "session-timeout": 30}}}`)
	s.is(attribute(s.read(one), "Email"), "other@example.com")
	s.read(one + "/recoverable-items")
	s.read(one + "/policies")
	s.read(one + "/policy-sets")
	s.read(one + "/runs")
	s.read("/github-app/installations")
	s.do("DELETE", one, nil, "")
	refusal := s.refused(404, "GET", one, nil, "")
	s.is(strings.Split(refusal.Details[0], ":")[0], "not found")
}

func TestUsersAndMemberships(t *testing.T) {
	s := inOrganization(t)
	account := s.read("/account/details")
	s.ids["me"], s.ids["name"] = text(get(account, "Data", "Id")), attribute(account, "Username")
	s.do("PATCH", "/account/update", CreateUsersEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"username": "$name"}}}`)
	s.is(attribute(s.read("/users/:me"), "Username"), s.ids["name"])
	s.read("/organization-memberships?include=user&page[size]=100")
	s.lists("/organizations/:org/organization-memberships?include=user&filter[status]=invited&page[size]=5", "member")
	s.is(attribute(s.read("/organization-memberships/:member?include=user"), "Status"), "invited")

	members := "/teams/:team/relationships/organization-memberships"
	one := `{"data": [{"id": "$member"}]}`
	s.do("POST", members, CreateOrganizationMembershipsIdentifierArrayDocumentFromDiscriminatorValue, one)
	s.lists(members, "member")
	s.do("DELETE", members, CreateOrganizationMembershipsIdentifierArrayDocumentFromDiscriminatorValue, one)
	users := "/teams/:team/relationships/users"
	for _, method := range []string{"POST", "DELETE"} {
		s.do(method, users, CreateUsersIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$name"}]}`)
	}
	s.do("DELETE", "/organization-memberships/:member", nil, "")
}

func TestTeamsAndTheirAccess(t *testing.T) {
	s := inOrganization(t)
	s.lists("/organizations/:org/teams?include=users&filter[names]=ops", "team")
	s.do("PATCH", "/teams/:team", CreateTeamsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "crew", "visibility": "organization"}}}`)
	s.is(attribute(s.read("/teams/:team?include=users"), "Name"), "crew")

	s.make("grant", "POST", "/team-workspaces", CreateTeamWorkspacesEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"access": "read"},
		  "relationships": {"team": {"data": {"id": "$team"}}, "workspace": {"data": {"id": "$one"}}}}}`)
	s.lists("/team-workspaces?filter[workspace][id]=:one", "grant")
	s.do("PATCH", "/team-workspaces/:grant", CreateTeamWorkspacesEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"access": "custom", "runs": "apply", "variables": "read"}}}`)
	s.is(attribute(s.read("/team-workspaces/:grant"), "Runs"), "apply")
	s.do("DELETE", "/team-workspaces/:grant", nil, "")

	s.make("grant", "POST", "/team-projects", CreateTeamProjectsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"access": "maintain"},
		  "relationships": {"team": {"data": {"id": "$team"}}, "project": {"data": {"id": "$project"}}}}}`)
	s.lists("/team-projects?filter[project][id]=:project", "grant")
	s.do("PATCH", "/team-projects/:grant", CreateTeamProjectsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"access": "custom", "project-access": {"settings": "read"}, "workspace-access": {"create": true}}}}`)
	s.is(attribute(s.read("/team-projects/:grant"), "WorkspaceAccess", "Create"), "true")
	s.do("DELETE", "/team-projects/:grant", nil, "")
	s.do("DELETE", "/teams/:team", nil, "")
}

func TestTokens(t *testing.T) {
	s := inOrganization(t)
	s.ids["me"] = text(get(s.read("/account/details"), "Data", "Id"))
	plain := `{"data": {"attributes": {"description": "of v2", "expired-at": "2030-01-01T00:00:00Z"}}}`
	path := "/organizations/:org/authentication-token"
	made := s.make("token", "POST", path, CreateAuthenticationTokensEnvelopeFromDiscriminatorValue, plain)
	if attribute(made, "Token") == "" {
		t.Errorf("%s has not shown the token", path)
	}
	s.is(attribute(s.read(path), "ExpiredAt"), "2030-01-01T00:00:00Z")
	s.do("DELETE", path, nil, "")
	path = "/teams/:team/authentication-token"
	s.makePlainly("token", path, plain)
	s.is(attribute(s.read(path), "Description"), "")
	s.do("DELETE", path, nil, "")
	s.read("/organizations/:org/team-tokens")
	s.make("token", "POST", "/users/:me/authentication-tokens", CreateAuthenticationTokensEnvelopeFromDiscriminatorValue, plain)
	s.lists("/users/:me/authentication-tokens?page[size]=100", "token")
	s.is(attribute(s.read("/authentication-tokens/:token"), "Description"), "of v2")
	s.do("DELETE", "/authentication-tokens/:token", nil, "")
}

func TestProjects(t *testing.T) {
	s := inOrganization(t)
	s.lists("/organizations/:org/projects?filter[names]=core&sort=name", "project")
	one := "/projects/:project"
	s.do("PATCH", one, CreateProjectsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"description": "second"}}}`)
	s.is(attribute(s.read(one), "Description"), "second")
	tags := one + "/relationships/tag-bindings"
	s.do("POST", tags, CreateTagBindingsCollectionFromDiscriminatorValue, `{"data": [{"attributes": {"key": "a", "value": "b"}}]}`)
	s.do("PATCH", tags, CreateTagBindingsCollectionFromDiscriminatorValue, `{"data": [{"attributes": {"key": "c", "value": "d"}}]}`)
	s.is(text(get(get(s.read(tags), "Data").Index(0), "Attributes", "Key")), "c")
	s.do("POST", one+"/relationships/workspaces", CreateWorkspacesIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$one"}]}`)
	s.is(text(get(s.read("/workspaces/:one"), "Data", "Relationships", "Project", "Data", "Id")), s.ids["project"])
	s.read(one + "/varsets")
	s.workspaceGoes("one")
	s.do("DELETE", one, nil, "")
}

func (s *session) workspaceGoes(name string) {
	s.t.Helper()
	s.do("DELETE", "/workspaces/:"+name, nil, "")
}

func TestWorkspaces(t *testing.T) {
	s := inOrganization(t)
	s.key()
	s.lists("/organizations/:org/workspaces?search[name]=one&include=organization,project&sort=name&page[size]=100", "one")
	s.ids["named"] = "one"
	byName, byId := "/organizations/:org/workspaces/:named", "/workspaces/:one"
	s.do("PATCH", byName, CreateWorkspacesEnvelopeFromDiscriminatorValue,
		`{"data": {"type": "workspaces", "attributes": {"description": "by name"}}}`)
	s.do("PATCH", byId, CreateWorkspacesEnvelopeFromDiscriminatorValue,
		`{"data": {"type": "workspaces", "attributes": {"auto-apply": true, "auto-destroy-activity-duration": "3d"}}}`)
	s.is(attribute(s.read(byName), "Description"), "by name")
	s.is(attribute(s.read(byId+"?include=organization,outputs,locked_by"), "AutoApply"), "true")

	s.do("PATCH", byId+"/relationships/ssh-key", CreateSshKeysNullableIdentifierDocumentFromDiscriminatorValue, `{"data": {"id": "$key"}}`)
	s.is(text(get(s.read(byId), "Data", "Relationships", "SshKey", "Data", "Id")), s.ids["key"])
	s.do("POST", byId+"/actions/lock", CreateActionReasonFromDiscriminatorValue, `{"reason": "for a test"}`)
	s.refused(409, "POST", byId+"/actions/lock", CreateActionReasonFromDiscriminatorValue, `{}`)
	s.is(attribute(s.do("POST", byId+"/actions/unlock", nil, ""), "Locked"), "false")
	s.do("POST", byId+"/actions/lock", CreateActionReasonFromDiscriminatorValue, `{}`)
	s.do("POST", byId+"/actions/force-unlock", nil, "")

	tags := byId + "/relationships/tags"
	s.do("POST", tags, CreateTagsCreateArrayDocumentFromDiscriminatorValue, `{"data": [{"type": "tags", "attributes": {"name": "red"}}]}`)
	s.ids["tag"] = idsIn(s.read(tags))[0]
	s.do("DELETE", tags, CreateTagsRemoveArrayDocumentFromDiscriminatorValue, `{"data": [{"type": "tags", "id": "$tag"}]}`)
	bindings := byId + "/relationships/tag-bindings"
	s.do("POST", bindings, CreateTagBindingsCollectionFromDiscriminatorValue, `{"data": [{"attributes": {"key": "a", "value": "b"}}]}`)
	s.do("PATCH", bindings, CreateTagBindingsCollectionFromDiscriminatorValue, `{"data": [{"attributes": {"key": "c"}}]}`)
	s.is(text(get(get(s.read(bindings), "Data").Index(0), "Attributes", "Key")), "c")

	consumers := byId + "/relationships/remote-state-consumers"
	for _, method := range []string{"POST", "PATCH"} {
		s.do(method, consumers, CreateWorkspacesIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$two"}]}`)
		s.lists(consumers, "two")
	}
	s.do("DELETE", consumers, CreateWorkspacesIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$two"}]}`)

	s.do("POST", byName+"/actions/safe-delete", nil, "")
	s.do("POST", "/workspaces/:two/actions/safe-delete", nil, "")
	s.workspace("three")
	s.ids["named"] = "three"
	s.do("DELETE", byName, nil, "")
	s.ids["gone"] = idsIn(s.read("/organizations/:org/recoverable-items"))[0]
	s.do("PUT", "/recoverable-items/:gone/actions/recover", nil, "")
	s.workspaceGoes("three")
	last := get(s.read("/organizations/:org/recoverable-items"), "Data").Index(0)
	s.is(text(get(last, "Attributes", "RecoverableName")), "three")
	s.ids["gone"] = text(get(last, "Id"))
	s.do("PUT", "/recoverable-items/:gone/actions/permanently-delete", nil, "")
}

func TestVariables(t *testing.T) {
	s := inOrganization(t)
	all := "/workspaces/:one/vars"
	s.make("variable", "POST", all, CreateVarsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"key": "region", "value": "eu", "category": "terraform"}}}`)
	s.lists(all, "variable")
	s.do("PATCH", all+"/:variable", CreateVarsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"value": "us"}}}`)
	s.is(attribute(s.read(all+"/:variable"), "Value"), "us")
	s.do("DELETE", all+"/:variable", nil, "")
	s.do("PATCH", "/workspaces/:one/relationships/vars", CreateWorkspaceVarsUpdateDocumentFromDiscriminatorValue,
		`{"data": [{"attributes": {"key": "HOME", "value": "x", "category": "env"}}]}`)

	s.make("set", "POST", "/organizations/:org/varsets", CreateVarsetsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "common"}, "relationships": {"workspaces": {"data": [{"id": "$one"}]}}}}`)
	s.lists("/organizations/:org/varsets", "set")
	one := "/varsets/:set"
	s.do("PATCH", one, CreateVarsetsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"description": "of all"}}}`)
	s.is(attribute(s.read(one), "Description"), "of all")
	s.make("variable", "POST", one+"/relationships/vars", CreateVarsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"key": "zone", "value": "a", "category": "terraform"}}}`)
	s.do("PATCH", one+"/relationships/vars/:variable", CreateVarsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"hcl": true, "value": "1"}}}`)
	s.is(attribute(s.read(one+"/relationships/vars/:variable"), "Hcl"), "true")
	s.lists(one+"/relationships/vars", "variable")
	s.lists("/workspaces/:one/varsets", "set")
	s.lists("/workspaces/:one/applicable-varsets", "set")
	s.read("/workspaces/:one/all-vars")
	for _, links := range []struct {
		path string
		of   model
		body string
	}{
		{"workspaces", CreateWorkspacesIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$two"}]}`},
		{"projects", CreateProjectsIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$project"}]}`},
	} {
		s.do("POST", one+"/relationships/"+links.path, links.of, links.body)
		s.do("DELETE", one+"/relationships/"+links.path, links.of, links.body)
	}
	s.do("DELETE", one+"/relationships/vars/:variable", nil, "")
	s.do("DELETE", one, nil, "")
}

func TestSshKeys(t *testing.T) {
	s := inOrganization(t)
	s.key()
	s.lists("/organizations/:org/ssh-keys?page[size]=1", "key")
	s.do("PATCH", "/ssh-keys/:key", CreateSshKeysEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"name": "other"}}}`)
	s.is(attribute(s.read("/ssh-keys/:key"), "Name"), "other")
	s.do("DELETE", "/ssh-keys/:key", nil, "")
	s.refused(404, "GET", "/ssh-keys/:key", nil, "")
	refusal := s.refused(422, "POST", "/organizations/:org/ssh-keys", CreateSshKeysEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"name": "x"}}}`)
	s.is(refusal.Details[0], "invalid attribute: value is required")
}

func TestAgentPools(t *testing.T) {
	s := inOrganization(t)
	s.makePlainly("pool", "/organizations/:org/agent-pools",
		`{"data": {"attributes": {"name": "pool", "organization-scoped": false}}}`)
	s.lists("/organizations/:org/agent-pools?q=pool", "pool")
	one := "/agent-pools/:pool"
	s.do("PATCH", one, CreateAgentPoolsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"name": "other"}, "relationships": {"allowed-workspaces": {"data": [{"id": "$one"}]}}}}`)
	s.is(attribute(s.read(one), "Name"), "other")
	s.is(fmt.Sprint(len(idsIn(s.read(one+"/agents")))), "0")
	tokens := one + "/authentication-tokens"
	s.make("token", "POST", tokens, CreateAuthenticationTokensEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"description": "agents"}}}`)
	s.lists(tokens, "token")
	s.do("DELETE", one, nil, "")
}

func TestConnections(t *testing.T) {
	s := inOrganization(t)
	s.make("client", "POST", "/organizations/:org/oauth-clients", CreateOauthClientsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"service-provider": "github", "http-url": "https://github.com", "api-url": "https://api.github.com", "oauth-token-string": "a-token"}}}`)
	s.lists("/organizations/:org/oauth-clients", "client")
	one := "/oauth-clients/:client"
	s.do("PATCH", one, CreateOauthClientsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"name": "hub", "organization-scoped": false}}}`)
	s.is(attribute(s.read(one), "Name"), "hub")
	for _, method := range []string{"POST", "DELETE"} {
		s.do(method, one+"/relationships/projects", CreateProjectsIdentifierArrayDocumentFromDiscriminatorValue, `{"data": [{"id": "$project"}]}`)
	}
	s.read(one + "/oauth-tokens")
	s.ids["token"] = idsIn(s.read("/organizations/:org/oauth-tokens"))[0]
	s.do("PATCH", "/oauth-tokens/:token", CreateOauthTokensEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": {"ssh-key": %q}}}`, os.Getenv("PRIVATE_KEY")))
	s.is(attribute(s.read("/oauth-tokens/:token"), "HasSshKey"), "true")
	s.do("DELETE", "/oauth-tokens/:token", nil, "")
	s.do("DELETE", one, nil, "")
}

func TestNotifications(t *testing.T) {
	s := inOrganization(t)
	for _, scope := range []string{"/teams/:team", "/projects/:project", "/workspaces/:one"} {
		all := scope + "/notification-configurations"
		s.make("hook", "POST", all, CreateNotificationConfigurationsEnvelopeFromDiscriminatorValue,
			fmt.Sprintf(`{"data": {"attributes": {"name": "hook", "destination-type": "generic", "enabled": false, "url": %q,
			  "triggers": ["run:created"]}}}`, os.Getenv("RECEIVER")))
		s.lists(all, "hook")
	}
	one := "/notification-configurations/:hook"
	s.do("PATCH", one, CreateNotificationConfigurationsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"name": "other"}}}`)
	s.is(attribute(s.read(one), "Name"), "other")
	s.do("POST", one+"/actions/verify", nil, "")
	s.do("DELETE", one, nil, "")
}

func TestRunTasksAndTriggers(t *testing.T) {
	s := inOrganization(t)
	s.make("task", "POST", "/organizations/:org/tasks", CreateTasksEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": {"name": "check", "category": "task", "enabled": true, "url": %q}}}`, os.Getenv("RECEIVER")))
	s.lists("/organizations/:org/tasks", "task")
	s.do("PATCH", "/tasks/:task", CreateTasksEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"description": "checks"}}}`)
	s.is(attribute(s.read("/tasks/:task"), "Description"), "checks")
	all := "/workspaces/:one/tasks"
	s.make("used", "POST", all, CreateWorkspaceTasksEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"enforcement-level": "advisory", "stages": ["post_plan"]}, "relationships": {"task": {"data": {"id": "$task"}}}}}`)
	s.lists(all, "used")
	s.do("PATCH", all+"/:used", CreateWorkspaceTasksEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"enforcement-level": "mandatory"}}}`)
	s.is(attribute(s.read(all+"/:used"), "EnforcementLevel"), "mandatory")
	s.do("DELETE", all+"/:used", nil, "")
	s.do("DELETE", "/tasks/:task", nil, "")

	triggers := "/workspaces/:one/run-triggers"
	s.make("trigger", "POST", triggers, CreateRunTriggersEnvelopeFromDiscriminatorValue,
		`{"data": {"relationships": {"sourceable": {"data": {"id": "$two"}}}}}`)
	s.lists(triggers+"?filter[run-trigger][type]=inbound", "trigger")
	s.is(attribute(s.read("/run-triggers/:trigger"), "SourceableName"), "two")
	s.do("DELETE", "/run-triggers/:trigger", nil, "")
}

func TestPages(t *testing.T) {
	s := inOrganization(t)
	first := s.read("/organizations/:org/workspaces?page[number]=1&page[size]=1&sort=name")
	second := s.read("/organizations/:org/workspaces?page[number]=2&page[size]=1&sort=name")
	s.is(strings.Join(slices.Concat(idsIn(first), idsIn(second)), " "), s.ids["one"]+" "+s.ids["two"])
	s.is(text(get(first, "Meta", "Pagination", "NextPage")), "2")
	s.is(text(get(second, "Meta", "Pagination", "TotalCount")), "2")
}
