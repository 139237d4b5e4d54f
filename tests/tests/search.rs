//! Tools are found by what they say of themselves.

use std::error::Error;

use proptest::prelude::*;
use serde_json::json;
use tools_core::{
    BoxFuture, DescriptorBuilder, EmbeddingModel, EmbeddingRanker, Found, Ranker, ToolDescriptor, ToolIndex,
    fuse,
};

fn tool(name: &str, description: &str) -> ToolDescriptor {
    built(ToolDescriptor::builder(name).description(description))
}

fn built(builder: DescriptorBuilder) -> ToolDescriptor {
    builder.build().unwrap()
}

fn index(tools: impl IntoIterator<Item = ToolDescriptor>) -> ToolIndex {
    let mut index = ToolIndex::default();
    tools.into_iter().for_each(|tool| index.insert(&tool));
    index
}

fn names(index: &ToolIndex, query: &str) -> Vec<String> {
    index.search(query, 100).iter().map(|found| found.name().to_string()).collect()
}

/// Tools that have nothing to do with what is looked for.
fn others() -> Vec<ToolDescriptor> {
    vec![
        tool("math.add", "Add two numbers."),
        tool("mail.send", "Send a mail to a person."),
        tool("files.remove", "Delete a file."),
        tool("calendar.create_event", "Make an appointment."),
    ]
}

fn found_among_others(tool: ToolDescriptor, query: &str) -> bool {
    let name = tool.name().to_string();
    names(&index(others().into_iter().chain([tool])), query).first() == Some(&name)
}

#[test]
fn every_field_is_searched() {
    let parameters = json!({"type": "object", "properties": {
        "isoCode": {"type": "string", "description": "Two letters of a territory"},
        "unit": {"enum": ["celsius", "fahrenheit"]},
        "filter": {"type": "object", "properties": {"elevation": {"type": "number", "description": "Altitude"}}},
        "stations": {"type": "array", "items": {"properties": {"operator": {"type": "string"}}}},
    }});
    let weather = built(
        ToolDescriptor::builder("meteo.forecast")
            .title("Outlook")
            .description("What the sky will do. Covers two weeks.")
            .summary("Precipitation ahead.")
            .tags(["climate"])
            .namespace("atmosphere")
            .parameters_json(parameters),
    );
    for query in [
        "forecast",
        "meteo",
        "outlook",
        "sky",
        "weeks",
        "precipitation",
        "climate",
        "atmosphere",
        "iso code",
        "territory",
        "fahrenheit",
        "elevation",
        "altitude",
        "operator",
    ] {
        assert_eq!(names(&index([weather.clone()]), query), ["meteo.forecast"], "{query}");
        assert!(found_among_others(weather.clone(), query), "{query}");
    }
}

#[test]
fn identifiers_are_split_on_both_sides() {
    for name in ["getStockPrice", "get_stock_price", "get-stock-price", "get.stock.price", "GETStockPRICE"] {
        for query in ["stock price", "stockPrice", "STOCK_PRICE", "the price of a stock"] {
            assert!(found_among_others(tool(name, ""), query), "{name} by {query}");
        }
    }
    assert!(found_among_others(tool("searchGitHub", ""), "git hub"));
    assert!(found_among_others(tool("pages", "Publishes to GitHub"), "github"));
    assert!(found_among_others(tool("s3_upload", ""), "S3"));
}

#[test]
fn forms_of_a_word_are_matched_and_the_same_one_comes_first() {
    let index =
        index([tool("a", "It translates."), tool("b", "It is translated."), tool("c", "Many translations.")]);
    for (query, first) in [("translates", "a"), ("translated", "b"), ("translations", "c")] {
        let found = names(&index, query);
        assert_eq!((found.len(), found[0].as_str()), (3, first), "{query}");
    }
    assert_eq!(names(&index, "translating"), ["a", "b", "c"], "a form that no tool has");
}

#[test]
fn mistakes_of_typing_are_forgiven() {
    let weather = tool("weather", "Temperature and humidity, a screenshot of the word cloud.");
    for query in
        ["wether", "waether", "weathre", "weatherr", "temprature", "tempertaure", "humidty", "wordcloud"]
    {
        assert!(found_among_others(weather.clone(), query), "{query}");
    }
    for query in ["wea", "whether", "wxyzher", "temptation", "hum", "xyzzy"] {
        assert!(!found_among_others(weather.clone(), query), "{query}");
    }
}

#[test]
fn a_word_that_is_known_is_not_taken_for_another() {
    let index = index([tool("a", "A form to fill in."), tool("b", "From a farm.")]);
    assert_eq!(names(&index, "form"), ["a"]);
    assert_eq!(names(&index, "farm"), ["b"]);
}

#[test]
fn a_name_weighs_more_than_what_is_said() {
    let index = index([
        built(ToolDescriptor::builder("a").description("Something.").parameters_json(
            json!({"properties": {"x": {"type": "string", "description": "A currency, as in a conversion."}}}),
        )),
        tool("b", "Do a conversion of a currency."),
        built(ToolDescriptor::builder("c").description("Do something.").tags(["currency", "conversion"])),
        tool("currency_conversion", "Do something."),
    ]);
    assert_eq!(names(&index, "convert a currency"), ["currency_conversion", "c", "b", "a"]);
}

#[test]
fn a_query_that_is_a_name_finds_this_tool_first() {
    let tools = ["list_files", "list", "files.list", "list_lists", "help", "show_all"]
        .map(|name| tool(name, "List list."));
    let index = index(tools);
    for name in ["list_files", "list", "files.list", "list_lists", "help", "show_all"] {
        assert_eq!(names(&index, &format!(" {name} "))[0], name);
    }
}

#[test]
fn words_of_any_request_do_not_count_beside_others() {
    let index = index([
        tool("help", "How to get help."),
        tool("give_feedback", "Please tell us what you would want."),
        tool("weather", "Forecast for a city."),
    ]);
    let query = "Please help me: I want to know what the forecast is, can you tell me?";
    assert_eq!(names(&index, query), ["weather"]);
    assert_eq!(names(&index, "help"), ["help"]);
    assert_eq!(names(&index, "give me"), ["give_feedback"]);
    assert_eq!(names(&index, "please help with xyzzy"), [] as [&str; 0], "what is asked for is not there");
}

#[test]
fn a_removed_tool_is_found_no_more() {
    let mut index = index(others());
    assert_eq!(names(&index, "mail"), ["mail.send"]);
    assert!(index.remove("mail.send"));
    assert!(!index.remove("mail.send"));
    assert_eq!(names(&index, "mail"), [] as [&str; 0]);
    assert_eq!(names(&index, "mial"), [] as [&str; 0], "and not taken for a mistake either");
    assert_eq!((index.len(), index.tools().count(), index.is_empty()), (3, 3, false));
}

#[test]
fn a_tool_of_the_same_name_is_replaced() {
    let mut index = index(others());
    index.insert(&tool("mail.send", "Post a letter."));
    assert_eq!(index.len(), 4);
    assert_eq!(names(&index, "letter"), ["mail.send"]);
    assert_eq!(names(&index, "person"), [] as [&str; 0]);
}

#[test]
fn a_tool_is_found_as_soon_as_it_is_inserted() {
    let mut index = ToolIndex::default();
    for number in 0..500 {
        index.insert(&tool(&format!("tool_{number}"), &format!("Does task{number} well.")));
        assert_eq!(names(&index, &format!("task{number}")), [format!("tool_{number}")]);
    }
}

#[test]
fn what_was_once_in_an_index_leaves_no_trace() {
    let mut used = ToolIndex::default();
    for number in 0..3000 {
        used.insert(&tool(&format!("gone_{number}"), &format!("Send mail{number} to unique{number} files.")));
        if number >= 10 {
            assert!(used.remove(&format!("gone_{}", number - 10)));
        }
    }
    let size = used.memory();
    (2990..3000).for_each(|number| assert!(used.remove(&format!("gone_{number}"))));
    others().iter().for_each(|tool| used.insert(tool));
    let fresh = index(others());
    for query in ["mail", "send a file", "mial", "create an appointment", "unique2999", "gone"] {
        assert_eq!(used.search(query, 10), fresh.search(query, 10), "{query}");
    }
    assert!(size < 200_000, "{size} bytes for ten tools");
}

#[test]
fn equals_come_in_order_of_insertion() {
    let numbers = || (0..200).map(|number| tool(&format!("t{}", number * 7919 % 200), "Same."));
    let expected: Vec<String> = numbers().map(|tool| tool.name().to_string()).collect();
    for _ in 0..3 {
        assert_eq!(
            index(numbers())
                .search("same", 200)
                .iter()
                .map(|found| found.name().to_string())
                .collect::<Vec<_>>(),
            expected
        );
    }
}

#[test]
fn nothing_asked_is_nothing_found() {
    let index = index(others());
    for query in ["", " ", "\n\t", "!?…", "の", "🌧", "\u{301}"] {
        assert_eq!(names(&index, query), [] as [&str; 0], "{query:?}");
    }
    assert!(index.search("mail", 0).is_empty());
    assert!(ToolIndex::default().search("mail", 5).is_empty());
}

#[test]
fn text_that_is_not_english_is_found() {
    for (description, queries) in [
        ("使用必应搜索指定的关键词", &["搜索", "关键词", "必应", "帮我搜索一下"][..]),
        ("天気予報を調べる", &["天気", "予報"]),
        ("서울의 날씨를 알려준다", &["날씨", "서울"]),
        ("ตรวจสอบสภาพอากาศ", &["อากาศ"]),
        ("Прогноз погоды на завтра", &["ПРОГНОЗ", "погоды", "пргноз"]),
        ("Die Größe der Straße", &["größe", "STRAßE", "größen"]),
        ("Prévisions météo", &["météo", "PRÉVISIONS", "previsions"]),
    ] {
        for query in queries {
            assert!(found_among_others(tool("x1", description), query), "{query} in {description}");
        }
    }
}

#[test]
fn a_caller_takes_what_it_may_show() {
    let index = index(others().into_iter().chain([tool("admin.delete_file", "Delete any file.")]));
    let visible = index.ranked("delete file").filter(|found| !found.name().as_str().starts_with("admin."));
    assert_eq!(visible.map(|found| found.name().to_string()).collect::<Vec<_>>(), ["files.remove"]);
}

#[test]
fn hostile_queries_are_read_in_bounds() {
    let index = index(others());
    let mut long = "mail ".repeat(400_000);
    assert_eq!(names(&index, &long), ["mail.send"]);
    long.insert_str(0, &"x".repeat(1_000_000));
    assert_eq!(names(&index, &long), [] as [&str; 0], "only the beginning is read");
    assert_eq!(
        names(&index, &format!("{}é mail", "a".repeat(8191))),
        [] as [&str; 0],
        "cut within a character"
    );
    assert_eq!(names(&index, &("word".repeat(9) + "\0\u{202e} mail")), ["mail.send"]);
    let unknown: String = (0..5000).map(|number| format!("unknwn{number} ")).collect();
    assert!(names(&index, &unknown).is_empty());
}

#[test]
fn an_index_is_shared_between_threads() {
    let index = index(others());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(names(&index, "mail"), ["mail.send"]));
        }
    });
}

/// Always says the same; fails for a query that asks for it.
struct Fixed(&'static [(&'static str, f32)]);

impl Ranker for Fixed {
    fn rank<'a>(
        &'a self,
        query: &'a str,
        _: &'a [ToolDescriptor],
    ) -> BoxFuture<'a, Result<Vec<Found>, Box<dyn Error + Send + Sync>>> {
        Box::pin(async move {
            if query == "fail" {
                return Err("no connection".into());
            }
            Ok(self.0.iter().map(|(name, score)| Found::new(name.parse().unwrap(), *score)).collect())
        })
    }
}

#[tokio::test]
async fn two_rankings_become_one_and_a_failed_one_is_left_out() {
    let tools = ["a", "b", "c"].map(|name| tool(name, ""));
    let words = |found: &[(&str, f32)]| {
        found.iter().map(|(name, score)| Found::new(name.parse().unwrap(), *score)).collect::<Vec<_>>()
    };
    let order = |found: Vec<Found>| found.iter().map(|found| found.name().to_string()).collect::<String>();
    let ranker = Fixed(&[("c", 20.0), ("b", 15.0), ("a", 10.0)]);
    for (found, expected) in [
        (&[("b", 9.0), ("a", 8.0)][..], "bca"),
        (&[("a", 9.0), ("b", 1.0)], "acb"),
        (&[("b", 0.1)], "bca"),
        (&[], "cba"),
    ] {
        assert_eq!(order(fuse(words(found), &ranker, "x", &tools).await), expected, "{found:?}");
    }
    let odd = Fixed(&[("c", -2.0), ("b", f32::NAN), ("a", -1.0), ("gone", 5.0)]);
    assert_eq!(order(fuse(words(&[("b", 1.0)]), &odd, "x", &tools).await), "bac");
    assert_eq!(order(fuse(words(&[("a", 2.0), ("b", 1.0)]), &ranker, "fail", &tools).await), "ab");
}

/// Counts what it embeds.
#[derive(Default)]
struct Counting(std::sync::Mutex<Vec<String>>);

impl EmbeddingModel for &Counting {
    fn embed<'a>(
        &'a self,
        texts: &'a [String],
    ) -> BoxFuture<'a, Result<Vec<Vec<f32>>, Box<dyn Error + Send + Sync>>> {
        self.0.lock().unwrap().extend(texts.iter().cloned());
        let vector = |text: &String| match text.contains("wrong length") {
            true => vec![1.0],
            false => vec![text.matches('a').count() as f32, text.matches('e').count() as f32],
        };
        Box::pin(async move { Ok(texts.iter().map(vector).collect()) })
    }
}

#[tokio::test]
async fn a_tool_is_embedded_once_and_again_when_it_changed() {
    let model = Counting::default();
    let ranker = EmbeddingRanker::new(&model);
    let mut tools = vec![tool("bag", "aaa"), tool("bee.hive", "eee"), tool("odd", "wrong length")];
    let found = ranker.rank("aa", &tools).await.unwrap();
    assert_eq!(found[0].name().as_str(), "bag");
    assert_eq!(*model.0.lock().unwrap(), ["aa", "bag: aaa", "bee hive: eee", "odd: wrong length"]);
    tools[0] = tool("bag", "eee");
    let found = ranker.rank("a", &tools).await.unwrap();
    assert_eq!(model.0.lock().unwrap()[4..], ["a", "bag: eee"]);
    assert!(found.iter().all(|found| found.name().as_str() != "odd"), "it does not compare");
}

fn any_tool() -> impl Strategy<Value = ToolDescriptor> {
    (
        "[a-e]{1,3}([._][a-e]{1,3}){0,2}",
        "\\PC{0,40}",
        prop::collection::vec("[a-zA-Z]{1,12}", 0..3),
        "[a-z]{1,8}",
    )
        .prop_map(|(name, description, tags, parameter)| {
            let schema = json!({"properties": {parameter: {"description": description}}});
            built(ToolDescriptor::builder(name).description(description).tags(tags).parameters_json(schema))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_search_finds_tools_of_the_index_in_order(
        tools in prop::collection::vec(any_tool(), 0..12),
        removed in prop::collection::vec(0_usize..12, 0..6),
        query in "\\PC{0,60}|([a-e]{1,3} ){1,9}",
        limit in 0_usize..15,
    ) {
        let mut index = index(tools.clone());
        for at in removed {
            if let Some(tool) = tools.get(at) {
                index.remove(tool.name().as_str());
            }
        }
        let found = index.search(&query, limit);
        prop_assert!(found.len() <= limit);
        prop_assert!(found.iter().all(|found| index.tools().any(|tool| tool.name() == found.name())));
        prop_assert!(found.is_sorted_by(|a, b| a.score() >= b.score()));
        prop_assert!(found.iter().all(|found| found.score() > 0.0 && found.score().is_finite()));
        prop_assert_eq!(&found[..], &index.search(&query, 100)[..found.len()]);
        let mut fresh = ToolIndex::default();
        index.tools().for_each(|tool| fresh.insert(tool));
        prop_assert_eq!(fresh.search(&query, limit), found);
    }

    #[test]
    fn every_word_of_a_tool_finds_it(tool in any_tool()) {
        let index = index([tool.clone()]);
        // Whole words: `aaaa` is none of `Aaaaa`.
        let words = tool.description().split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.len() > 3 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
        for word in words.chain(tool.tags().iter().map(String::as_str).filter(|tag| tag.len() > 3)) {
            prop_assert_eq!(index.search(word, 1).len(), 1, "{}", word);
        }
    }

    #[test]
    fn every_ascii_word_has_a_stem(word in "[a-z]{1,40}") {
        let index = index([tool("x", &word)]);
        prop_assert!(word.len() == 1 || index.search(&word, 1).len() == 1 || index.search(&word, 1).is_empty());
    }
}
