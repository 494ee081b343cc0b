// Reads certificates, CRLs and OCSP responses with Go's own packages: a line of JSON in, a line of JSON out.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ocsp"
)

type input struct {
	Kind string `json:"kind"`
	DER  []byte `json:"der"`
}

type fields map[string]any

type output struct {
	Error  string `json:"error,omitempty"`
	Fields fields `json:"fields,omitzero"`
}

var readers = map[string]func([]byte) (fields, error){
	"certificate": readCertificate,
	"crl":         readCRL,
	"ocsp":        readOCSP,
	"path":        readPath,
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		var in input
		if err := json.Unmarshal(line, &in); err != nil {
			panic(err)
		}
		read, err := readers[in.Kind](in.DER)
		if err != nil {
			answers.Encode(output{Error: err.Error()})
		} else {
			answers.Encode(output{Fields: read})
		}
	}
}

func readCertificate(der []byte) (fields, error) {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	purposes := []string{}
	for _, usage := range c.ExtKeyUsage {
		purposes = append(purposes, usage.OID().String())
	}
	for _, id := range c.UnknownExtKeyUsage {
		purposes = append(purposes, id.String())
	}
	slices.Sort(purposes)
	uris := []string{}
	for _, uri := range c.URIs {
		uris = append(uris, uri.String())
	}
	return fields{
		"serial":             c.SerialNumber.Text(16),
		"not before":         c.NotBefore.Unix(),
		"not after":          c.NotAfter.Unix(),
		"common name":        c.Subject.CommonName,
		"organizations":      list(c.Subject.Organization),
		"units":              list(c.Subject.OrganizationalUnit),
		"subject":            digest(c.RawSubject),
		"issuer":             digest(c.RawIssuer),
		"key":                digest(c.RawSubjectPublicKeyInfo),
		"DNS names":          list(c.DNSNames),
		"email addresses":    list(c.EmailAddresses),
		"URIs":               uris,
		"IP addresses":       addresses(c.IPAddresses),
		"CA":                 c.IsCA,
		"path length":        pathLength(c),
		"key usage":          int(c.KeyUsage),
		"extended key usage": slices.Compact(purposes),
		"permitted": list(slices.Concat(tagged("dns", c.PermittedDNSDomains), tagged("email", c.PermittedEmailAddresses),
			tagged("uri", c.PermittedURIDomains), tagged("ip", networks(c.PermittedIPRanges)))),
		"excluded": list(slices.Concat(tagged("dns", c.ExcludedDNSDomains), tagged("email", c.ExcludedEmailAddresses),
			tagged("uri", c.ExcludedURIDomains), tagged("ip", networks(c.ExcludedIPRanges)))),
		"extensions": extensions(c.Extensions),
	}, nil
}

func readCRL(der []byte) (fields, error) {
	c, err := x509.ParseRevocationList(der)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(c.Raw, der) {
		return nil, errors.New("trailing data")
	}
	entries, reasons := []string{}, []int{}
	for _, e := range c.RevokedCertificateEntries {
		entries = append(entries, fmt.Sprintf("%s %d", e.SerialNumber.Text(16), e.RevocationTime.Unix()))
		reasons = append(reasons, e.ReasonCode)
	}
	return fields{
		"issuer":      digest(c.RawIssuer),
		"number":      number(c.Number),
		"this update": c.ThisUpdate.Unix(),
		"next update": unix(c.NextUpdate),
		"entries":     len(entries),
		"revoked":     digest([]byte(strings.Join(entries, "\n"))),
		"reasons":     reasons,
		"authority":   hex.EncodeToString(c.AuthorityKeyId),
	}, nil
}

func readOCSP(der []byte) (fields, error) {
	r, err := ocsp.ParseResponse(der, nil)
	var failure ocsp.ResponseError
	if errors.As(err, &failure) {
		return fields{"status": int(failure.Status)}, nil
	}
	if err != nil {
		return nil, err
	}
	revoked := ""
	if r.Status == ocsp.Revoked {
		revoked = fmt.Sprintf(" %d %d", r.RevokedAt.Unix(), r.RevocationReason)
	}
	status := [...]string{"good", "revoked", "unknown"}[r.Status]
	return fields{
		"status":      0,
		"answers":     []string{fmt.Sprintf("%s %s%s", r.SerialNumber.Text(16), status, revoked)},
		"this update": []int64{r.ThisUpdate.Unix()},
		"next update": []any{unix(r.NextUpdate)},
	}, nil
}

// When paths are valid, in seconds since 1970: within the validity of every template.
const pathTime = 1764000000

func readPath(der []byte) (fields, error) {
	var path struct{ Client, CA []byte }
	if _, err := asn1.Unmarshal(der, &path); err != nil {
		return nil, err
	}
	ca, err := x509.ParseCertificate(path.CA)
	if err != nil {
		return nil, fmt.Errorf("unread: %w", err)
	}
	client, err := x509.ParseCertificate(path.Client)
	if err != nil {
		return nil, fmt.Errorf("unread: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	_, err = client.Verify(x509.VerifyOptions{
		Roots:       roots,
		CurrentTime: time.Unix(pathTime, 0),
		KeyUsages:   []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	})
	if err != nil {
		return nil, err
	}
	return fields{}, nil
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func list(of []string) []string {
	if of == nil {
		return []string{}
	}
	return of
}

func tagged(tag string, of []string) []string {
	tagged := []string{}
	for _, value := range of {
		tagged = append(tagged, tag+":"+value)
	}
	return tagged
}

func addresses(of []net.IP) []string {
	addresses := []string{}
	for _, ip := range of {
		addresses = append(addresses, hex.EncodeToString(ip))
	}
	return addresses
}

func networks(of []*net.IPNet) []string {
	networks := []string{}
	for _, n := range of {
		networks = append(networks, hex.EncodeToString(n.IP)+hex.EncodeToString(n.Mask))
	}
	return networks
}

func pathLength(c *x509.Certificate) any {
	if !c.BasicConstraintsValid || c.MaxPathLen < 0 || c.MaxPathLen == 0 && !c.MaxPathLenZero {
		return nil
	}
	return c.MaxPathLen
}

func extensions(of []pkix.Extension) []string {
	extensions := []string{}
	for _, e := range of {
		extensions = append(extensions, fmt.Sprintf("%s %t %s", e.Id, e.Critical, digest(e.Value)))
	}
	slices.Sort(extensions)
	return extensions
}

func number(n *big.Int) any {
	if n == nil {
		return nil
	}
	return n.Text(16)
}

func unix(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Unix()
}
