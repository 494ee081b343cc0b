package clients

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	. "github.com/hashicorp/go-tfe/v2/api/models"
)

const configuration = `
resource "terraform_data" "one" { input = "first" }
output "one" { value = terraform_data.one.output }
`

// configured has a workspace with a configuration, and a task that is asked for each of its runs.
func configured(t *testing.T) *session {
	t.Helper()
	s := inOrganization(t)
	all := "/workspaces/:one/configuration-versions"
	version := s.make("version", "POST", all, CreateConfigurationVersionsEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"auto-queue-runs": false}}}`)
	upload(t, attribute(version, "UploadUrl"))
	s.lists(all, "version")
	s.until("/configuration-versions/:version", "Status", "uploaded")
	return s
}

func upload(t *testing.T, address string) {
	t.Helper()
	var archive bytes.Buffer
	compressed := gzip.NewWriter(&archive)
	files := tar.NewWriter(compressed)
	_ = files.WriteHeader(&tar.Header{Name: "main.tf", Mode: 0o644, Size: int64(len(configuration))})
	_, _ = files.Write([]byte(configuration))
	_ = files.Close()
	_ = compressed.Close()
	request, _ := http.NewRequest("PUT", address, &archive)
	request.Header.Set("Content-Type", "application/octet-stream")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("the upload of a configuration was answered with %s", response.Status)
	}
}

// until waits for an attribute to have a value.
func (s *session) until(path, name, value string) {
	s.t.Helper()
	last := ""
	for range 600 {
		if last = attribute(s.read(path), name); last == value {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatalf("%s is %s after a minute, and not %s", path, last, value)
}

func (s *session) run(attributes string) {
	s.t.Helper()
	s.make("run", "POST", "/runs", CreateRunsEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": %s, "relationships": {"workspace": {"data": {"id": "$one"}}}}}`, attributes))
}

func TestRuns(t *testing.T) {
	s := configured(t)
	s.run(`{"message": "of v2", "variables": []}`)
	s.lists("/workspaces/:one/runs?filter[operation]=plan_and_apply&page[size]=5", "run")
	s.lists("/organizations/:org/runs", "run")
	s.until("/runs/:run", "Status", "planned")
	run := s.read("/runs/:run")
	s.is(attribute(run, "Message"), "of v2")
	s.is(attribute(run, "Actions", "IsConfirmable"), "true")
	s.ids["plan"] = text(get(run, "Data", "Relationships", "Plan", "Data", "Id"))
	s.ids["apply"] = text(get(run, "Data", "Relationships", "Apply", "Data", "Id"))
	s.is(attribute(s.read("/plans/:plan"), "ResourceAdditions"), "1")
	s.read("/plans/:plan/json-output")
	s.read("/plans/:plan/json-output-redacted")
	s.make("comment", "POST", "/runs/:run/comments", CreateCommentsEnvelopeFromDiscriminatorValue, `{"data": {"attributes": {"body": "fine"}}}`)
	s.lists("/runs/:run/comments", "comment")
	s.is(attribute(s.read("/comments/:comment"), "Body"), "fine")
	s.read("/runs/:run/policy-checks")
	s.read("/runs/:run/task-stages")
	s.do("POST", "/runs/:run/actions/apply", CreateActionCommentFromDiscriminatorValue, `{"comment": "go"}`)
	s.until("/runs/:run", "Status", "applied")
	s.is(attribute(s.read("/applies/:apply"), "Status"), "finished")
	s.read("/applies/:apply/errored-state")
	s.read("/workspaces/:one/resources")
	s.ids["output"] = idsIn(s.read("/workspaces/:one/current-state-version-outputs"))[0]
	s.is(attribute(s.read("/state-version-outputs/:output"), "Name"), "one")
	s.refused(409, "POST", "/runs/:run/actions/apply", CreateActionCommentFromDiscriminatorValue, `{}`)
	s.workspaceGoes("one")
	gone := get(s.read("/organizations/:org/recoverable-items"), "Data").Index(0)
	s.is(text(get(gone, "Attributes", "UnmanagedResources")), "1")
}

func TestAssessments(t *testing.T) {
	s := configured(t)
	s.run(`{"auto-apply": true}`)
	s.until("/runs/:run", "Status", "applied")
	s.do("PATCH", "/workspaces/:one", CreateWorkspacesEnvelopeFromDiscriminatorValue,
		`{"data": {"type": "workspaces", "attributes": {"assessments-enabled": true}}}`)
	s.do("POST", "/workspaces/:one/actions/assess", nil, "")
	for range 600 {
		if answer, err := s.try("GET", "/workspaces/:one/current-assessment-result", nil, ""); err == nil {
			s.ids["assessment"] = text(get(answer, "Data", "Id"))
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.is(attribute(s.read("/assessment-results/:assessment"), "Drifted"), "false")
	for _, part := range []string{"json-output", "json-schema", "log-output"} {
		s.read("/assessment-results/:assessment/" + part)
	}
}

func TestConfigurations(t *testing.T) {
	s := configured(t)
	s.read("/configuration-versions/:version/download")
	s.refused(404, "GET", "/configuration-versions/:version/ingress-attributes", nil, "")
	refusal := s.refused(409, "POST", "/configuration-versions/:version/actions/archive", nil, "")
	s.is(refusal.Message, http.StatusText(http.StatusConflict))
	_, err := s.try("POST", "/runs", CreateRunsEnvelopeFromDiscriminatorValue,
		`{"data": {"relationships": {"workspace": {"data": {"id": "$two"}}}}}`)
	s.is(explained(err), "422 Unprocessable Entity invalid attribute: Configuration version is missing: "+
		"the workspace has no uploaded one. Upload one, or name one in the request")
}

func TestTaskStages(t *testing.T) {
	s := configured(t)
	s.make("task", "POST", "/organizations/:org/tasks", CreateTasksEnvelopeFromDiscriminatorValue,
		fmt.Sprintf(`{"data": {"attributes": {"name": "check", "category": "task", "enabled": true, "url": %q}}}`, os.Getenv("RECEIVER")))
	s.do("POST", "/workspaces/:one/tasks", CreateWorkspaceTasksEnvelopeFromDiscriminatorValue,
		`{"data": {"attributes": {"enforcement-level": "advisory", "stages": ["pre_plan"]}, "relationships": {"task": {"data": {"id": "$task"}}}}}`)
	s.run(`{}`)
	s.ids["stage"] = idsIn(s.read("/runs/:run/task-stages"))[0]
	stage := s.read("/task-stages/:stage")
	s.is(attribute(stage, "Stage"), "pre_plan")
	// The client looks for the results one level too deep.
	var plain struct {
		Data struct {
			Relationships map[string]struct{ Data any }
		}
	}
	s.plainly("GET", "/task-stages/:stage", "", &plain)
	results := plain.Data.Relationships["task-results"].Data.([]any)
	s.ids["result"] = results[0].(map[string]any)["id"].(string)
	s.is(attribute(s.read("/task-results/:result"), "TaskName"), "check")
	s.read("/task-results/:result/outcomes")
	s.refused(409, "POST", "/task-stages/:stage/actions/override", nil, "")
}

func TestStates(t *testing.T) {
	s := inOrganization(t)
	s.do("POST", "/workspaces/:one/actions/lock", CreateActionReasonFromDiscriminatorValue, `{}`)
	for serial := range 2 {
		state := fmt.Sprintf(`{"version": 4, "serial": %d, "lineage": "of-v2", "terraform_version": "1.10.7", "outputs": {}, "resources": []}`, serial)
		s.make(fmt.Sprintf("state%d", serial), "POST", "/workspaces/:one/state-versions", CreateStateVersionsEnvelopeFromDiscriminatorValue,
			fmt.Sprintf(`{"data": {"attributes": {"serial": %d, "md5": "%x", "lineage": "of-v2", "state": "%s"}}}`,
				serial, md5.Sum([]byte(state)), base64.StdEncoding.EncodeToString([]byte(state))))
	}
	s.ids["named"] = "one"
	s.lists("/state-versions?filter[workspace][name]=:named&filter[organization][name]=:org", "state1")
	s.is(attribute(s.read("/workspaces/:one/current-state-version"), "Serial"), "1")
	address := attribute(s.read("/state-versions/:state0"), "HostedStateDownloadUrl")
	request, _ := http.NewRequest("GET", address, nil)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TFE_TOKEN"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if state, _ := io.ReadAll(response.Body); !bytes.Contains(state, []byte(`"serial": 0`)) {
		t.Errorf("the state is %s", state)
	}
	s.read("/state-versions/:state0/outputs")
	s.do("PATCH", "/workspaces/:one/state-versions", CreateStateVersionsEnvelopeFromDiscriminatorValue,
		`{"data": {"relationships": {"rollback-state-version": {"data": {"id": "$state0"}}}}}`)
	s.is(attribute(s.read("/workspaces/:one/current-state-version"), "Serial"), "2")
}
