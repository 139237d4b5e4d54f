use std::sync::Arc;

use tools_core::{Tools, tools};

struct Mailer;
struct Service;

#[tools]
impl Service {
    /// Send a mail.
    #[tool]
    fn send_mail(&self, to: &str, #[inject] mailer: &Mailer) -> String {
        let _ = mailer;
        to.to_owned()
    }
}

fn main() {
    let service = Arc::new(Service);
    let _ = Tools::builder().tools(Arc::clone(&service)).build();
}
