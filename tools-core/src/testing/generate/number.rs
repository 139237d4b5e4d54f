//! Numbers within their bounds.

use serde_json::{Map, Number, Value};

use super::Dice;

/// How far from zero a number is at most where nothing bounds it: a type may be narrower than its schema says.
const FAR: i128 = 1_000_000;

pub(super) fn integer(schema: &Map<String, Value>, dice: &mut Dice) -> Option<Value> {
    let bound = |keyword: &str| schema.get(keyword).and_then(exact);
    let least = [bound("minimum").map(ceil), bound("exclusiveMinimum").map(|at| floor(at).saturating_add(1))];
    let most = [bound("maximum").map(floor), bound("exclusiveMaximum").map(|at| ceil(at).saturating_sub(1))];
    let least = least.into_iter().flatten().max();
    let most = most.into_iter().flatten().min();
    let (low, high) = match (least, most) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low.saturating_add(FAR).max(FAR)),
        (None, Some(high)) => (high.saturating_sub(FAR).min(-FAR), high),
        (None, None) => (-FAR, FAR),
    };
    let step = schema.get("multipleOf").and_then(exact).map_or(1, |step| ceil(step).max(1));
    let (low, high) = (div_ceil(low, step), high.div_euclid(step));
    if low > high {
        return None;
    }
    let span = usize::try_from(high.saturating_sub(low).min(FAR)).unwrap_or(0);
    let within = low.saturating_add(i128::try_from(dice.roll(span + 1)).unwrap_or(0));
    let candidates =
        [low, high, within, within, low.saturating_add(1).min(high), 0.clamp(low, high), 1.clamp(low, high)];
    whole_number(dice.pick(&candidates)?.checked_mul(step)?)
}

pub(super) fn number(schema: &Map<String, Value>, dice: &mut Dice) -> Option<Value> {
    if schema.contains_key("multipleOf") {
        return multiple(schema, dice);
    }
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let low = bound("minimum").or(bound("exclusiveMinimum"));
    let high = bound("maximum").or(bound("exclusiveMaximum"));
    let (low, high) = match (low, high) {
        (Some(low), Some(high)) => (low, high),
        (Some(low), None) => (low, low + 1000.0),
        (None, Some(high)) => (high - 1000.0, high),
        (None, None) => (-1000.0, 1000.0),
    };
    let parts = f64::from(u16::try_from(dice.roll(1000)).unwrap_or(0));
    let within = low + (high - low) * parts / 1000.0;
    let candidates = [low, high, within, within, within.round(), f64::midpoint(low, high), 0.0, 0.5];
    let fits = |at: &f64| low <= *at && *at <= high;
    let candidates: Vec<f64> = candidates.into_iter().filter(fits).collect();
    Number::from_f64(*dice.pick(&candidates)?).map(Value::Number)
}

/// Some multiples as decimals: `1.37`, not `1.3700000000000001`.
fn multiple(schema: &Map<String, Value>, dice: &mut Dice) -> Option<Value> {
    let step = schema.get("multipleOf")?.as_f64()?;
    let text = schema.get("multipleOf")?.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let bound = |keyword: &str| schema.get(keyword).and_then(Value::as_f64);
    let low = bound("minimum").or(bound("exclusiveMinimum"));
    let high = bound("maximum").or(bound("exclusiveMaximum"));
    let first = match (low, high) {
        (Some(low), _) => (low / step).ceil(),
        (None, Some(high)) => (high / step).floor() - 8.0,
        (None, None) => 0.0,
    };
    let times = first + f64::from(u8::try_from(dice.roll(8)).unwrap_or(0));
    format!("{:.decimals$}", times * step).parse().ok().and_then(Number::from_f64).map(Value::Number)
}

/// A bound, exactly where it is an integer.
fn exact(value: &Value) -> Option<Bound> {
    let whole = value.as_i64().map(i128::from).or(value.as_u64().map(i128::from));
    whole.map(Bound::Whole).or_else(|| value.as_f64().map(Bound::Float))
}

#[derive(Clone, Copy)]
enum Bound {
    Whole(i128),
    Float(f64),
}

#[expect(clippy::cast_possible_truncation, reason = "a float out of range becomes the end of the range")]
fn ceil(bound: Bound) -> i128 {
    match bound {
        Bound::Whole(whole) => whole,
        Bound::Float(float) => float.ceil() as i128,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a float out of range becomes the end of the range")]
fn floor(bound: Bound) -> i128 {
    match bound {
        Bound::Whole(whole) => whole,
        Bound::Float(float) => float.floor() as i128,
    }
}

fn div_ceil(number: i128, step: i128) -> i128 {
    number.div_euclid(step) + i128::from(number.rem_euclid(step) != 0)
}

fn whole_number(number: i128) -> Option<Value> {
    i64::try_from(number).map(Value::from).ok().or_else(|| u64::try_from(number).map(Value::from).ok())
}
