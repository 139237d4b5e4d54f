//! Tools in function bodies, in modules, under every visibility.

use tools_core::{Describe, State, Tools, tool};

mod weather {
    pub(crate) mod today {
        use tools_core::tool;

        /// Look up the weather.
        #[tool]
        pub(super) fn inner(city: &str) -> String {
            city.to_owned()
        }

        /// Look up the wind.
        #[tool]
        pub(in crate::weather) fn wind() -> u8 {
            3
        }
    }

    pub(super) fn names() -> Vec<String> {
        use tools_core::Describe;
        [today::Inner.descriptor(), today::Wind.descriptor()].iter().map(|tool| tool.name().to_string()).collect()
    }
}

fn main() {
    /// Add two numbers.
    #[tool]
    fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    struct Offset(i64);

    #[derive(State)]
    struct App {
        offset: Offset,
    }

    /// Add a number.
    #[tool]
    fn shift(number: i64, #[inject] offset: &Offset) -> i64 {
        number + offset.0
    }

    /// Search.
    #[derive(Describe)]
    struct Search;

    let _ = App { offset: Offset(1) };
    assert_eq!(Search.descriptor().name().as_ref(), "search");
    assert!(Tools::<App>::for_state().tool(Shift).build().is_ok());
    assert_eq!(add(1, 2), 3);
    assert_eq!(Add.descriptor().name().as_ref(), "add");
    assert_eq!(weather::names(), ["inner", "wind"]);
    assert!(Tools::builder().tool(Add).build().is_ok());
}
