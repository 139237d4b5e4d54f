//! Bounds that leave no value.

use serde_json::{Value, json};

use super::Part;
use crate::schema::{check::closest, json::number::Decimal};

impl Part {
    /// Says of bounds that leave no value.
    pub(super) fn compare_bounds(&mut self) {
        if self.compare_pairs() {
            self.look_for_whole_numbers();
            self.count_properties();
        }
    }

    /// Says of each pair of bounds that leaves no value between them, and whether there is none.
    fn compare_pairs(&mut self) -> bool {
        const PAIRS: [(&str, &str, bool); 7] = [
            ("minimum", "maximum", true),
            ("minimum", "exclusiveMaximum", false),
            ("exclusiveMinimum", "maximum", false),
            ("exclusiveMinimum", "exclusiveMaximum", false),
            ("minLength", "maxLength", true),
            ("minItems", "maxItems", true),
            ("minProperties", "maxProperties", true),
        ];
        let mut fit = true;
        for (least, most, may_be_equal) in PAIRS {
            let (Some(low), Some(high)) = (self.number(least), self.number(most)) else { continue };
            let order = Decimal::parse(&low).cmp(&Decimal::parse(&high));
            if order.is_gt() || (order.is_eq() && !may_be_equal) {
                self.fault(
                    &format!("/{least}"),
                    format!("`{least}` {low} and `{most}` {high} leave no value"),
                );
                fit = false;
            }
        }
        fit
    }

    /// Says so where bounds leave numbers, but no whole one of those that are wanted.
    fn look_for_whole_numbers(&mut self) {
        if self.keywords.get("type") != Some(&json!("integer")) {
            return;
        }
        let least = [
            ("minimum", ceil(self.number("minimum"))),
            ("exclusiveMinimum", above(self.number("exclusiveMinimum"))),
        ];
        let most = [
            ("maximum", floor(self.number("maximum"))),
            ("exclusiveMaximum", below(self.number("exclusiveMaximum"))),
        ];
        let given = |(keyword, bound): (&'static str, Option<i128>)| Some((keyword, bound?));
        let low = least.into_iter().filter_map(given).max_by_key(|(_, bound)| *bound);
        let high = most.into_iter().filter_map(given).min_by_key(|(_, bound)| *bound);
        let (Some((least, low)), Some((most, high))) = (low, high) else { return };
        let (Some(from), Some(to)) = (self.number(least), self.number(most)) else { return };
        if low > high {
            let fault = format!("`{least}` {from} and `{most}` {to} leave no whole number");
            return self.fault(&format!("/{least}"), fault);
        }
        let divisor = self.number("multipleOf").and_then(|text| whole(&text));
        let Some(divisor) = divisor.filter(|divisor| *divisor > 0) else { return };
        let to_the_next = (divisor - low.rem_euclid(divisor)) % divisor;
        if low.checked_add(to_the_next).is_none_or(|first| first > high) {
            let fault = format!("`{least}` {from} and `{most}` {to} leave no multiple of {divisor}");
            self.fault("/multipleOf", fault);
        }
    }

    /// Says so where no object can have as many properties as are wanted, or as few.
    fn count_properties(&mut self) {
        let count = |keyword: &str, part: &Self| part.keywords.get(keyword).and_then(Value::as_u64);
        let closed = self.keywords.get("additionalProperties") == Some(&json!(false));
        let named = self.order.len() as u64;
        if let Some(least) = count("minProperties", self).filter(|least| closed && *least > named) {
            let fault =
                format!("no object has {least} properties, since {named} are named and no others are taken");
            self.fault("/minProperties", fault);
        }
        let required = self.keywords.get("required").and_then(Value::as_array).map_or(0, Vec::len) as u64;
        if let Some(most) = count("maxProperties", self).filter(|most| *most < required) {
            let fault = format!("no object has at most {most} properties, since {required} are required");
            self.fault("/maxProperties", fault);
        }
    }

    fn number(&self, keyword: &str) -> Option<String> {
        self.keywords.get(keyword).and_then(Value::as_number).map(ToString::to_string)
    }

    /// Says of each required name that no property has.
    pub(super) fn look_for_required(&mut self) {
        let Some(Value::Array(required)) = self.keywords.get("required") else { return };
        let open = self.keywords.get("additionalProperties").is_some_and(|rule| *rule != json!(false));
        let mut faults = Vec::new();
        for (index, name) in required.iter().enumerate() {
            let Some(name) = name.as_str() else { continue };
            if open || self.order.iter().any(|known| known == name) {
                continue;
            }
            let meant = closest(name, self.order.iter().map(String::as_str));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            faults.push((format!("/required/{index}"), format!("there is no property `{name}`{meant}")));
        }
        for (pointer, fault) in faults {
            self.fault(&pointer, fault);
        }
    }
}

/// A whole number that is written as one, or as `2.0`.
fn whole(text: &str) -> Option<i128> {
    Decimal::parse(text).integer_text()?.parse().ok()
}

/// A number as a whole one, rounded where it has a fraction. It then is a small one: large floats have none.
fn rounded(text: Option<String>, round: fn(f64) -> f64) -> Option<i128> {
    let text = text?;
    whole(&text).or_else(|| {
        let number = text.parse::<f64>().ok().map(round)?;
        whole(&format!("{number}"))
    })
}

fn ceil(text: Option<String>) -> Option<i128> {
    rounded(text, f64::ceil)
}

fn floor(text: Option<String>) -> Option<i128> {
    rounded(text, f64::floor)
}

/// The first whole number above.
fn above(text: Option<String>) -> Option<i128> {
    floor(text)?.checked_add(1)
}

/// The first whole number below.
fn below(text: Option<String>) -> Option<i128> {
    ceil(text)?.checked_sub(1)
}
