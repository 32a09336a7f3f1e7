// Take deliveries with Go: verify, store once, answer. See docs/webhooks.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	toleranceS = 300
	maxBytes   = 64 << 20
)

var deliveryID = regexp.MustCompile(`^dlv_[0-9a-z]+$`)

// isGenuine says whether a body is from the engine and fresh. header: x-import-signature.
func isGenuine(secret, header string, body []byte, now time.Time) bool {
	var times, given []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			times = append(times, value)
		case "v1":
			given = append(given, value)
		}
	}
	if len(times) != 1 {
		return false
	}
	t, err := strconv.ParseUint(times[0], 10, 40)
	if err != nil {
		return false
	}
	if age := now.Unix() - int64(t); age > toleranceS || age < -toleranceS {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(times[0] + "."))
	mac.Write(body)
	expected := []byte(hex.EncodeToString(mac.Sum(nil)))
	genuine := false
	for _, value := range given {
		genuine = hmac.Equal(expected, []byte(value)) || genuine
	}
	return genuine
}

// store keeps a delivery whole and once; false when it was there. A database would use a unique key.
func store(inbox, id string, body []byte) (bool, error) {
	draft, err := os.CreateTemp(inbox, ".draft")
	if err != nil {
		return false, err
	}
	defer os.Remove(draft.Name())
	defer draft.Close()
	if _, err := draft.Write(body); err != nil {
		return false, err
	}
	if err := draft.Sync(); err != nil {
		return false, err
	}
	err = os.Link(draft.Name(), filepath.Join(inbox, id+".json")) // fails when the name exists
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func apply(secret, inbox string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBytes))
		if err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(secret, r.Header.Get("x-import-signature"), body, time.Now()) {
			http.Error(w, "not genuine", http.StatusUnauthorized)
			return
		}
		var delivery struct {
			DeliveryID string `json:"deliveryId"`
		}
		if json.Unmarshal(body, &delivery) != nil || !deliveryID.MatchString(delivery.DeliveryID) {
			http.Error(w, "no delivery id", http.StatusBadRequest)
			return
		}
		isNew, err := store(inbox, delivery.DeliveryID, body)
		switch {
		case err != nil:
			http.Error(w, "try again", http.StatusServiceUnavailable)
		case isNew:
			io.WriteString(w, "stored")
		default:
			io.WriteString(w, "seen")
		}
	}
}

func main() {
	http.Handle("/apply", apply(os.Getenv("IMPORT_SIGNING_SECRET"), os.Getenv("INBOX")))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
