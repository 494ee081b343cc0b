package clients

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/hashicorp/go-tfe"
)

// keeper is a client of the workspace API.
func keeper(t *testing.T, token string) *tfe.Client {
	t.Helper()
	client, err := tfe.NewClient(&tfe.Config{Address: os.Getenv("TFE_ADDRESS"), Token: token})
	must(t, err)
	return client
}

func TestWhoWatchesOverAnOrganizationReadsItsAuditTrail(t *testing.T) {
	ctx := context.Background()
	owner := keeper(t, os.Getenv("TFE_TOKEN"))
	organization, err := owner.Organizations.Create(ctx, tfe.OrganizationCreateOptions{
		Name: tfe.String("watched"), Email: tfe.String("ops@example.com"),
	})
	must(t, err)
	kind := tfe.AuditTrailToken
	token, err := owner.OrganizationTokens.CreateWithOptions(ctx, organization.Name, tfe.OrganizationTokenCreateOptions{TokenType: &kind})
	must(t, err)
	workspace, err := owner.Workspaces.Create(ctx, organization.Name, tfe.WorkspaceCreateOptions{Name: tfe.String("one")})
	must(t, err)
	for range 3 {
		_, err = owner.Workspaces.Lock(ctx, workspace.ID, tfe.WorkspaceLockOptions{})
		must(t, err)
		_, err = owner.Workspaces.Unlock(ctx, workspace.ID)
		must(t, err)
	}

	// The trail is its own, and all that its token opens.
	watcher := keeper(t, token.Token)
	if _, err := watcher.Organizations.Read(ctx, organization.Name); !errors.Is(err, tfe.ErrResourceNotFound) {
		t.Fatalf("the organization: %v", err)
	}
	if _, err := owner.AuditTrails.List(ctx, nil); !errors.Is(err, tfe.ErrResourceNotFound) {
		t.Fatalf("the trail, for its owner: %v", err)
	}

	all, err := watcher.AuditTrails.List(ctx, nil)
	must(t, err)
	if all.TotalCount != 9 || len(all.Items) != 9 {
		t.Fatalf("%d of %d events", len(all.Items), all.TotalCount)
	}
	last := all.Items[0]
	if last.Resource.ID != workspace.ID || last.Resource.Type != "workspace" || last.Resource.Action != "unlock" || last.Request.ID == "" {
		t.Fatalf("the last event: %+v", last)
	}
	auth := last.Auth
	if auth.Type != "Client" || auth.AccessorID == "" || auth.Description == "" || auth.OrganizationID != organization.ExternalID {
		t.Fatalf("who it was: %+v", auth)
	}

	page := func(number int) *tfe.AuditTrailList {
		list, err := watcher.AuditTrails.List(ctx, &tfe.AuditTrailListOptions{ListOptions: &tfe.ListOptions{PageNumber: number, PageSize: 5}})
		must(t, err)
		return list
	}
	first, second := page(1), page(2)
	if first.TotalPages != 2 || first.NextPage != 2 || second.CurrentPage != 2 || second.NextPage != 0 || second.PreviousPage != 1 {
		t.Fatalf("pages: %+v, %+v", first.AuditTrailPagination, second.AuditTrailPagination)
	}
	if len(first.Items)+len(second.Items) != 9 || second.Items[0].ID != all.Items[5].ID {
		t.Fatal("the pages are not the list")
	}

	// The client asks by whole seconds.
	later, err := watcher.AuditTrails.List(ctx, &tfe.AuditTrailListOptions{Since: last.Timestamp.Add(time.Second)})
	must(t, err)
	if len(later.Items) != 0 {
		t.Fatalf("%d events are later than the last", len(later.Items))
	}
	earlier, err := watcher.AuditTrails.List(ctx, &tfe.AuditTrailListOptions{Since: last.Timestamp.Add(-time.Hour)})
	must(t, err)
	if len(earlier.Items) != 9 {
		t.Fatalf("%d events of the last hour", len(earlier.Items))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
