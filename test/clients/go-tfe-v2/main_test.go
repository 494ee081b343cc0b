package clients

import (
	"encoding/json"
	"os"
	"testing"
)

// TestMain writes down which operations were called, for the one who knows which there are.
func TestMain(m *testing.M) {
	code := m.Run()
	operations, _ := json.Marshal(sorted(called))
	if err := os.WriteFile(os.Getenv("CALLED"), operations, 0o600); err != nil {
		panic(err)
	}
	os.Exit(code)
}
