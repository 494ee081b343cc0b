package clients

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	tfe "github.com/hashicorp/go-tfe/v2"
	"github.com/microsoft/kiota-abstractions-go/serialization"
)

// model makes the model of a body, as the client's generated code has it.
type model = serialization.ParsableFactory

// session calls operations by the client's own methods, and keeps the ids of what it has made.
type session struct {
	t      *testing.T
	client *tfe.Client
	// ids by the names that paths (`:name`) and bodies (`$name`) call them by.
	ids map[string]string
}

// called has each operation that a session has called: `GET /organizations/{}`.
var called = map[string]bool{}

func newSession(t *testing.T) *session {
	t.Helper()
	client, err := tfe.NewClient(&tfe.Config{Address: os.Getenv("TFE_ADDRESS"), Token: os.Getenv("TFE_TOKEN")})
	if err != nil {
		t.Fatal(err)
	}
	return &session{t, client, map[string]string{"org": "v2-" + randomName()}}
}

func randomName() string {
	bytes := make([]byte, 6)
	_, _ = rand.Read(bytes)
	return hex.EncodeToString(bytes)
}

// read calls a GET and fails the test when it is refused.
func (s *session) read(path string) reflect.Value {
	s.t.Helper()
	return s.do("GET", path, nil, "")
}

// do calls an operation and fails the test when it is refused. Without a model there is no body.
func (s *session) do(method, path string, of model, body string) reflect.Value {
	s.t.Helper()
	answer, err := s.try(method, path, of, body)
	if err != nil {
		s.t.Fatalf("%s %s: %s", method, path, explained(err))
	}
	return answer
}

// make calls an operation that makes something, and keeps its id under a name.
func (s *session) make(name, method, path string, of model, body string) reflect.Value {
	s.t.Helper()
	answer := s.do(method, path, of, body)
	s.ids[name] = text(get(answer, "Data", "Id"))
	return answer
}

// try calls an operation. Its path has ids as `:name`, and query parameters as they are in a URL.
func (s *session) try(method, path string, of model, body string) (reflect.Value, error) {
	s.t.Helper()
	path, query, _ := strings.Cut(path, "?")
	builder := reflect.ValueOf(s.client.API)
	for _, segment := range strings.Split(path, "/")[1:] {
		builder = s.step(builder, segment)
	}
	call := builder.MethodByName(method[:1] + strings.ToLower(method[1:]))
	if !call.IsValid() {
		s.t.Fatalf("the client has no %s %s", method, path)
	}
	called[method+" "+parameter.ReplaceAllString(path, "{}")] = true
	kind := call.Type()
	arguments := []reflect.Value{reflect.ValueOf(context.Background())}
	if kind.NumIn() == 3 {
		arguments = append(arguments, s.body(kind.In(1), of, body))
	}
	arguments = append(arguments, s.configuration(kind.In(kind.NumIn()-1), query))
	results := call.Call(arguments)
	err, _ := results[len(results)-1].Interface().(error)
	if err != nil || len(results) == 1 {
		return reflect.Value{}, err
	}
	s.checkTypes(path, results[0])
	return results[0], nil
}

var parameter = regexp.MustCompile(`:\w+`)

// step goes from one request builder to the next: `ssh-keys` is SshKeys(), `:key` is By…("…").
func (s *session) step(builder reflect.Value, segment string) reflect.Value {
	s.t.Helper()
	for i := range builder.NumMethod() {
		name, method := builder.Type().Method(i).Name, builder.Method(i)
		if id, isParameter := strings.CutPrefix(segment, ":"); isParameter {
			if strings.HasPrefix(name, "By") && method.Type().NumIn() == 1 && method.Type().In(0).Kind() == reflect.String {
				return method.Call([]reflect.Value{reflect.ValueOf(s.id(id))})[0]
			}
		} else if plain(name) == plain(segment) && method.Type().NumIn() == 0 {
			return method.Call(nil)[0]
		}
	}
	s.t.Fatalf("%s has nothing for %s", builder.Type(), segment)
	return reflect.Value{}
}

// plain is a name without what differs between a path and the method of that name.
func plain(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "", "Escaped", "").Replace(name))
}

func (s *session) id(name string) string {
	s.t.Helper()
	id, known := s.ids[name]
	if !known {
		s.t.Fatalf("nothing is called %s", name)
	}
	return id
}

// body has the model that a text of JSON describes: what it leaves out, the client does not send.
func (s *session) body(kind reflect.Type, of model, body string) reflect.Value {
	s.t.Helper()
	if of == nil {
		return reflect.Zero(kind)
	}
	named := regexp.MustCompile(`\$(\w+)`).ReplaceAllStringFunc(body, func(name string) string { return s.id(name[1:]) })
	made, err := serialization.DeserializeFromJson([]byte(named), of)
	if err != nil {
		s.t.Fatalf("%s: %s", named, err)
	}
	return reflect.ValueOf(made)
}

// configuration has the query parameters as the client's type for them has them.
func (s *session) configuration(kind reflect.Type, query string) reflect.Value {
	s.t.Helper()
	given, err := url.ParseQuery(query)
	if err != nil || query == "" {
		return reflect.Zero(kind)
	}
	made := reflect.New(kind.Elem())
	field := made.Elem().FieldByName("QueryParameters")
	parameters := reflect.New(field.Type().Elem())
	for name, values := range given {
		if !setParameter(parameters.Elem(), name, s.filled(values[0])) {
			s.t.Fatalf("%s has no parameter %s", parameters.Type(), name)
		}
	}
	field.Set(parameters)
	return made
}

func (s *session) filled(value string) string {
	if name, isName := strings.CutPrefix(value, ":"); isName {
		return s.id(name)
	}
	return value
}

func setParameter(parameters reflect.Value, name, value string) bool {
	for i := range parameters.NumField() {
		tag, _ := url.QueryUnescape(parameters.Type().Field(i).Tag.Get("uriparametername"))
		if tag != name {
			continue
		}
		field := parameters.Field(i)
		if field.Kind() == reflect.Slice {
			for _, word := range strings.Split(value, ",") {
				field.Set(reflect.Append(field, parsed(field.Type().Elem(), word)))
			}
			return true
		}
		pointer := reflect.New(field.Type().Elem())
		pointer.Elem().Set(parsed(field.Type().Elem(), value))
		field.Set(pointer)
		return true
	}
	return false
}

// parsed has a word as a string, a boolean, a number, or as the one of an enumeration that says the same.
func parsed(kind reflect.Type, word string) reflect.Value {
	made := reflect.New(kind).Elem()
	_, isEnumeration := made.Interface().(interface{ String() string })
	if !isEnumeration && kind.Kind() != reflect.String {
		if err := json.Unmarshal([]byte(word), made.Addr().Interface()); err != nil {
			panic(err)
		}
		return made
	}
	if !isEnumeration {
		made.SetString(word)
		return made
	}
	for made.Interface().(interface{ String() string }).String() != word {
		made.SetInt(made.Int() + 1)
	}
	return made
}

// plainly asks without the client, where it cannot send or read something (skipped.json).
func (s *session) plainly(method, path, body string, answer any) {
	s.t.Helper()
	filled := parameter.ReplaceAllStringFunc(path, func(name string) string { return s.id(name[1:]) })
	request, _ := http.NewRequest(method, os.Getenv("TFE_ADDRESS")+"/api/v2"+filled, strings.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TFE_TOKEN"))
	request.Header.Set("Content-Type", tfe.ContentTypeJSONAPI)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil || response.StatusCode >= http.StatusMultipleChoices {
		s.t.Fatalf("%s: %s %v", path, response.Status, err)
	}
}

// makePlainly makes something without the client, and keeps its id under a name.
func (s *session) makePlainly(name, path, body string) {
	s.t.Helper()
	var made struct{ Data struct{ Id string } }
	s.plainly("POST", path, body, &made)
	s.ids[name] = made.Data.Id
}

// checkTypes fails the test for a resource whose type the client does not know: it reads such a one as none.
func (s *session) checkTypes(path string, value reflect.Value) {
	s.t.Helper()
	for value.Kind() == reflect.Interface {
		value = value.Elem()
	}
	if value.Kind() == reflect.Slice {
		for i := range value.Len() {
			s.checkTypes(path, value.Index(i))
		}
		return
	}
	if value.Kind() != reflect.Pointer || value.IsNil() || value.Elem().Kind() != reflect.Struct {
		return
	}
	if id, kind := value.MethodByName("GetId"), value.MethodByName("GetTypeEscaped"); id.IsValid() && kind.IsValid() {
		if !id.Call(nil)[0].IsNil() && kind.Call(nil)[0].IsNil() {
			s.t.Errorf("%s: %s %s has a type that the client does not know", path, value.Type(), text(id.Call(nil)[0]))
		}
	}
	for i := range value.NumMethod() {
		name, method := value.Type().Method(i).Name, value.Method(i)
		// Included resources may be of many types, and the client reads it as the wrong one.
		if strings.HasPrefix(name, "Get") && name != "GetIncluded" && method.Type().NumIn() == 0 && method.Type().NumOut() == 1 {
			if kind := method.Type().Out(0).Kind(); kind == reflect.Interface || kind == reflect.Slice {
				s.checkTypes(path, method.Call(nil)[0])
			}
		}
	}
}

// get goes through the getters of those names.
func get(value reflect.Value, names ...string) reflect.Value {
	for _, name := range names {
		for value.Kind() == reflect.Interface {
			value = value.Elem()
		}
		if !value.IsValid() || (value.Kind() == reflect.Pointer && value.IsNil()) {
			return reflect.Value{}
		}
		method := value.MethodByName("Get" + name)
		if !method.IsValid() {
			panic(value.Type().String() + " has no " + name)
		}
		value = method.Call(nil)[0]
	}
	return value
}

// text has what a getter has returned, as a text: of an enumeration its word, of nothing an empty one.
func text(value reflect.Value) string {
	for value.IsValid() && (value.Kind() == reflect.Interface || value.Kind() == reflect.Pointer) {
		if value.IsNil() {
			return ""
		}
		if moment, isMoment := value.Interface().(*time.Time); isMoment {
			return moment.UTC().Format(time.RFC3339)
		}
		if word, isWord := value.Interface().(interface{ String() string }); isWord {
			return word.String()
		}
		value = value.Elem()
	}
	if !value.IsValid() {
		return ""
	}
	bytes, _ := json.Marshal(value.Interface())
	return strings.Trim(string(bytes), `"`)
}

// attribute has an attribute of the resource in an answer, as a text.
func attribute(answer reflect.Value, names ...string) string {
	return text(get(answer, append([]string{"Data", "Attributes"}, names...)...))
}

// idsIn has the ids of a list.
func idsIn(answer reflect.Value) []string {
	data := get(answer, "Data")
	ids := []string{}
	for i := range data.Len() {
		ids = append(ids, text(get(data.Index(i), "Id")))
	}
	return ids
}

// lists fails the test when a list has not the thing of that name.
func (s *session) lists(path, name string) reflect.Value {
	s.t.Helper()
	answer := s.read(path)
	if ids := idsIn(answer); !slices.Contains(ids, s.id(name)) {
		s.t.Errorf("%s has not %s, but %v", path, s.id(name), ids)
	}
	return answer
}

// is fails the test when what a server has said is not what was expected.
func (s *session) is(said, expected string) {
	s.t.Helper()
	if said != expected {
		s.t.Errorf("%q, and not %q", said, expected)
	}
}

// refused fails the test when a call goes through, or fails with another status.
func (s *session) refused(status int, method, path string, of model, body string) *tfe.APIError {
	s.t.Helper()
	_, err := s.try(method, path, of, body)
	var refusal *tfe.APIError
	if !errors.As(err, &refusal) {
		s.t.Fatalf("%s %s: %v is no error of the API", method, path, err)
	}
	if refusal.StatusCode != status || len(refusal.Details) == 0 {
		s.t.Errorf("%s %s: %s, and not %d", method, path, explained(err), status)
	}
	return refusal
}

func explained(err error) string {
	var refusal *tfe.APIError
	if errors.As(err, &refusal) {
		return refusal.Error() + " " + strings.Join(refusal.Details, "; ")
	}
	return err.Error()
}

func sorted(operations map[string]bool) []string {
	return slices.Sorted(maps.Keys(operations))
}
