//! Numbers as their text: compared, divided and written as decimals, never through a float.

use std::cmp::Ordering;

/// The longest integer that is written out; a `u128` has 39 digits.
const LONGEST_INTEGER: i64 = 40;

/// A JSON number read as `digits * 10^scale`, with neither leading nor trailing zeros among the digits.
#[derive(Clone, Copy)]
pub(crate) struct Decimal<'t> {
    negative: bool,
    whole: &'t str,
    fraction: &'t str,
    leading_zeros: usize,
    significant: usize,
    scale: i64,
}

impl<'t> Decimal<'t> {
    /// `text` follows the grammar of JSON numbers; of other text the result is some number.
    pub(crate) fn parse(text: &'t str) -> Self {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let total = whole.len() + fraction.len();
        let digits = || whole.bytes().chain(fraction.bytes());
        let leading_zeros = digits().take_while(|digit| *digit == b'0').count();
        let trailing_zeros = digits().rev().take_while(|digit| *digit == b'0').count();
        let scale = parse_exponent(exponent)
            .saturating_sub(to_i64(fraction.len()))
            .saturating_add(to_i64(trailing_zeros));
        Self {
            negative,
            whole,
            fraction,
            leading_zeros,
            significant: total.saturating_sub(leading_zeros + trailing_zeros),
            scale,
        }
    }

    fn digits(&self) -> impl Iterator<Item = u8> + 't {
        let digits = self.whole.bytes().chain(self.fraction.bytes());
        digits.skip(self.leading_zeros).take(self.significant)
    }

    fn is_zero(&self) -> bool {
        self.significant == 0
    }

    pub(crate) fn is_integer(&self) -> bool {
        self.is_zero() || self.scale >= 0
    }

    /// The power of ten just above the number.
    fn magnitude(&self) -> i64 {
        self.scale.saturating_add(to_i64(self.significant))
    }

    /// The number without point and exponent, where it is an integer of reasonable length.
    pub(crate) fn integer_text(&self) -> Option<String> {
        if self.is_zero() {
            return Some("0".to_owned());
        }
        if !self.is_integer() || self.magnitude() > LONGEST_INTEGER {
            return None;
        }
        let mut text = String::new();
        if self.negative {
            text.push('-');
        }
        text.extend(self.digits().map(char::from));
        for _ in 0..self.scale {
            text.push('0');
        }
        Some(text)
    }

    /// One text for all ways to write the same number.
    pub(crate) fn write_canonical(&self, out: &mut String) {
        if self.is_zero() {
            out.push('0');
            return;
        }
        if self.negative {
            out.push('-');
        }
        out.extend(self.digits().map(char::from));
        out.push('e');
        out.push_str(&self.scale.to_string());
    }

    /// `None` where the divisor has more digits than the exact division takes, or is not above zero.
    pub(crate) fn is_multiple_of(&self, divisor: &Decimal<'_>) -> Option<bool> {
        if divisor.is_zero() || divisor.negative {
            return None;
        }
        let mut modulus: u64 = 0;
        for digit in divisor.digits() {
            modulus = modulus.checked_mul(10)?.checked_add(u64::from(digit & 0x0f))?;
        }
        if self.is_zero() {
            return Some(true);
        }
        let shift = self.scale.saturating_sub(divisor.scale);
        // The digits end in no zero, so nothing that a further power of ten divides is among them.
        let Ok(shift) = u64::try_from(shift) else {
            return Some(false);
        };
        let modulus = u128::from(modulus);
        let remainder =
            self.digits().fold(0_u128, |rest, digit| (rest * 10 + u128::from(digit & 0x0f)) % modulus);
        Some((remainder * power_of_ten(shift, modulus)).is_multiple_of(modulus))
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return if other.negative { Ordering::Greater } else { Ordering::Less },
            (false, true) => return if self.negative { Ordering::Less } else { Ordering::Greater },
            (false, false) => {}
        }
        match (self.negative, other.negative) {
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (true, true) | (false, false) => {}
        }
        let size = self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits().cmp(other.digits()));
        if self.negative { size.reverse() } else { size }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Decimal<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Decimal<'_> {}

/// Whether an integer is written as one: `20`, not `20.0` or `2e1`.
pub(crate) fn is_plain_integer(text: &str) -> bool {
    !text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
}

fn parse_exponent(text: &str) -> i64 {
    // Far below the limits of the type, so that sums with lengths stay exact.
    const LIMIT: i64 = i64::MAX / 4;
    match text.parse::<i64>() {
        Ok(exponent) => exponent.clamp(-LIMIT, LIMIT),
        Err(_) if text.starts_with('-') => -LIMIT,
        Err(_) => LIMIT,
    }
}

fn power_of_ten(mut exponent: u64, modulus: u128) -> u128 {
    let (mut base, mut power) = (10 % modulus, 1 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    power
}

fn to_i64(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: &str, right: &str) -> Ordering {
        Decimal::parse(left).cmp(&Decimal::parse(right))
    }

    #[test]
    fn numbers_compare_beyond_the_reach_of_a_float() {
        assert_eq!(compare("18446744073709551616", "18446744073709551615"), Ordering::Greater);
        assert_eq!(compare("1e400", "1e399"), Ordering::Greater);
        assert_eq!(compare("-1e400", "1e-400"), Ordering::Less);
        assert_eq!(compare("1.0", "1"), Ordering::Equal);
        assert_eq!(compare("100", "1e2"), Ordering::Equal);
        assert_eq!(compare("-0.0", "0"), Ordering::Equal);
        assert_eq!(compare("0.1", "0.10001"), Ordering::Less);
        assert_eq!(compare("-2", "-10"), Ordering::Greater);
        assert_eq!(compare("1e99999999999999999999", "1e5"), Ordering::Greater);
    }

    #[test]
    fn an_integer_is_written_out_where_it_is_one() {
        let text = |number| Decimal::parse(number).integer_text();
        assert_eq!(text("20.0").as_deref(), Some("20"));
        assert_eq!(text("1e2").as_deref(), Some("100"));
        assert_eq!(text("-1.50e1").as_deref(), Some("-15"));
        assert_eq!(text("-0.0").as_deref(), Some("0"));
        assert_eq!(text("20.5"), None);
        assert_eq!(text("1e-1"), None);
        assert_eq!(text("1e400"), None);
    }

    #[test]
    fn multiples_are_exact() {
        let multiple = |number, of| Decimal::parse(number).is_multiple_of(&Decimal::parse(of));
        assert_eq!(multiple("0.3", "0.1"), Some(true));
        assert_eq!(multiple("19.99", "0.01"), Some(true));
        assert_eq!(multiple("0.35", "0.1"), Some(false));
        assert_eq!(multiple("18446744073709551616", "2"), Some(true));
        assert_eq!(multiple("18446744073709551617", "2"), Some(false));
        assert_eq!(multiple("1e400", "3"), Some(false));
        assert_eq!(multiple("7.5", "2.5"), Some(true));
        assert_eq!(multiple("0", "7"), Some(true));
        assert_eq!(multiple("5", "0"), None);
    }
}
