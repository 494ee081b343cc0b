package clients

import (
	"context"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/go-tfe"
)

const (
	clients  = 4
	requests = 4
)

// Each client keeps to the number that the server has told it; several of one user exceed it together.
func TestWhoAsksTooOftenWaitsAsLongAsItIsToldAndGoesOn(t *testing.T) {
	var refused, untold atomic.Int32
	hook := func(_ int, response *http.Response) {
		refused.Add(1)
		if response.StatusCode != http.StatusTooManyRequests || response.Header.Get("X-RateLimit-Reset") == "" {
			untold.Add(1)
		}
	}
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			client, err := tfe.NewClient(&tfe.Config{
				Address:      os.Getenv("TFE_ADDRESS"),
				Token:        os.Getenv("TFE_TOKEN"),
				RetryLogHook: hook,
			})
			for i := 0; i < requests && err == nil; i++ {
				_, err = client.Users.ReadCurrent(context.Background())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if refused.Load() == 0 || untold.Load() != 0 {
		t.Fatalf("%d were refused, %d of them without being told for how long", refused.Load(), untold.Load())
	}
}
